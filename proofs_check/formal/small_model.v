(* The small-model theorem: a claim "convex <= concave" about values and distances of k pairs holds on every
   chain as soon as it holds on chains of k + 2 pairs, where it is a polynomial inequality. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain reward_kernel stein kernel mico reward_laws cramer arith.
From Krope Require Import reduction small_chain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* concavity in values and MICo distances together *)
Definition concave2 (F : realFieldType) k (G : 'rV[F]_k -> 'M[F]_k -> F) :=
  forall t, 0 <= t <= 1 -> forall q U q' U',
  t * G q U + (1 - t) * G q' U' <= G (t *: q + (1 - t) *: q') (t *: U + (1 - t) *: U').

Section Sound.
Variables (F : archiFieldType) (n k : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (g lo hi : F) (x : 'I_k -> 'I_n).
Hypotheses (g0 : 0 <= g) (g1 : g < 1) (lohi : lo <= hi) (range : forall z, lo <= r z 0 <= hi).
Let rho : 'rV[F]_k := \row_i r (x i) 0.

(* no episode ends: claims about q and U *)
Lemma conservative_sound (G : 'rV[F]_k -> 'M[F]_k -> F) : stochastic P -> concave2 G ->
  (forall f : 'rV[F]_k, (forall i, 0 <= f 0 i <= 1) ->
     0 <= G (point_values rho lo hi g f (const_mx 1)) (point_mico rho lo hi g f (const_mx 1))) ->
  0 <= G (pairs_values P r g x) (pairs_mico P r g x).
Proof.
move=> stoP cG h; have sub := stochastic_sub stoP.
apply: (@reduction _ _ _ _ _ _ _ _ _ sub g0 g1 range lohi (fun q _ U _ => G q U)) => //.
- by move=> t t01 q l U N q' l' U' N'; apply: cG.
- by apply: h => i; rewrite mxE lexx ler01.
- move=> m t; have -> : \row_i lasting P m.+1 (x i) 0 = const_mx 1.
    by apply/rowP=> i; rewrite mxE lasting_stochastic // !mxE.
  apply: h => i; rewrite mxE; have := cdf_range r sub m.+1 t (x i).
  by rewrite lasting_stochastic // [const_mx 1 _ _]mxE.
Qed.

(* episodes may end: claims about q, lifetimes, U and N, hence about K = N - U/R *)
Lemma ending_sound (G : 'rV[F]_k -> 'rV[F]_k -> 'M[F]_k -> 'M[F]_k -> F) : substochastic P -> concave4 G ->
  (forall f m : 'rV[F]_k, (forall i, 0 <= f 0 i <= m 0 i /\ m 0 i <= 1) ->
     0 <= G (point_values rho lo hi g f m) (point_lives g m) (point_mico rho lo hi g f m) (point_mass g m)) ->
  0 <= G (pairs_values P r g x) (pairs_lives P g x) (pairs_mico P r g x) (pairs_mass P g x).
Proof.
move=> sub cG h; apply: (reduction sub g0 g1 range lohi cG).
- by apply: h => i; rewrite !mxE lexx ler01.
- have entry (b : 'I_k -> F) i : (\row_j b j) 0 i = b i by rewrite mxE.
  move=> m t; apply: h => i; rewrite !entry; split; first exact: cdf_range.
  exact: lasting_le1.
Qed.
End Sound.

(* Rewards between lo and hi, those of the k pairs given in rho. First and second: a function G of the
   pairs' quantities, concave in them, is non-negative on every chain iff it is at the points of small
   chains (f for all steps, masses m where episodes may end). Third: these points are attained, by a chain
   of k + 2 pairs whose least and greatest rewards are lo and hi. *)
Theorem small_model (F : archiFieldType) k (rho : 'rV[F]_k) (lo hi g : F) :
  0 <= g < 1 -> lo <= hi -> (forall i, lo <= rho 0 i <= hi) ->
  [/\ forall G : 'rV[F]_k -> 'M[F]_k -> F, concave2 G ->
        (forall n (P : 'M[F]_n) (r : 'cV[F]_n) (x : 'I_k -> 'I_n), stochastic P ->
           (forall z, lo <= r z 0 <= hi) -> (forall i, r (x i) 0 = rho 0 i) ->
           0 <= G (pairs_values P r g x) (pairs_mico P r g x)) <->
        (forall f : 'rV[F]_k, (forall i, 0 <= f 0 i <= 1) ->
           0 <= G (point_values rho lo hi g f (const_mx 1)) (point_mico rho lo hi g f (const_mx 1))),
      forall G : 'rV[F]_k -> 'rV[F]_k -> 'M[F]_k -> 'M[F]_k -> F, concave4 G ->
        (forall n (P : 'M[F]_n) (r : 'cV[F]_n) (x : 'I_k -> 'I_n), substochastic P ->
           (forall z, lo <= r z 0 <= hi) -> (forall i, r (x i) 0 = rho 0 i) ->
           0 <= G (pairs_values P r g x) (pairs_lives P g x) (pairs_mico P r g x) (pairs_mass P g x)) <->
        (forall f m : 'rV[F]_k, (forall i, 0 <= f 0 i <= m 0 i /\ m 0 i <= 1) ->
           0 <= G (point_values rho lo hi g f m) (point_lives g m) (point_mico rho lo hi g f m) (point_mass g m))
    & forall f m : 'rV[F]_k, (forall i, 0 <= f 0 i <= m 0 i /\ m 0 i <= 1) ->
        exists (P : 'M[F]_(k + 2)) (r : 'cV[F]_(k + 2)) (x : 'I_k -> 'I_(k + 2)),
        [/\ substochastic P /\ (m = const_mx 1 -> stochastic P),
            [/\ forall z, lo <= r z 0 <= hi, exists z, r z 0 = lo & exists z, r z 0 = hi],
            forall i, r (x i) 0 = rho 0 i,
            pairs_values P r g x = point_values rho lo hi g f m /\ pairs_lives P g x = point_lives g m
          & pairs_mico P r g x = point_mico rho lo hi g f m /\ pairs_mass P g x = point_mass g m]].
Proof.
move=> /andP[g0 g1] lohi hrho.
have attained (f m : 'rV[F]_k) (fm : forall i, 0 <= f 0 i <= m 0 i /\ m 0 i <= 1) :
    exists (P : 'M[F]_(k + 2)) (r : 'cV[F]_(k + 2)) (x : 'I_k -> 'I_(k + 2)),
    [/\ substochastic P /\ (m = const_mx 1 -> stochastic P),
        [/\ forall z, lo <= r z 0 <= hi, exists z, r z 0 = lo & exists z, r z 0 = hi],
        forall i, r (x i) 0 = rho 0 i,
        pairs_values P r g x = point_values rho lo hi g f m /\ pairs_lives P g x = point_lives g m
      & pairs_mico P r g x = point_mico rho lo hi g f m /\ pairs_mass P g x = point_mass g m].
  exists (small_P f m), (small_r rho lo hi), (lshift 2); split.
  - by split; [apply: small_substochastic | apply: small_stochastic].
  - split; [exact: small_range | exists (rshift k 0) | exists (rshift k 1)]; by rewrite small_r_absorbing.
  - by move=> i; rewrite small_r_pair.
  - by split; [apply: small_point_values | apply: small_point_lives].
  - by split; [apply: small_point_mico | apply: small_point_mass].
have same n (r : 'cV[F]_n) (x : 'I_k -> 'I_n) : (forall i, r (x i) 0 = rho 0 i) -> \row_i r (x i) 0 = rho.
  by move=> e; apply/rowP=> i; rewrite mxE.
split=> [G cG | G cG | //]; split=> [all f hf | pts n P r x sP range e].
- have fm i : 0 <= f 0 i <= (const_mx 1 : 'rV[F]_k) 0 i /\ (const_mx 1 : 'rV[F]_k) 0 i <= 1.
    by rewrite mxE lexx.
  have [P [r [x [[_ stoP] [range _ _] e [ev _] [em _]]]]] := attained f (const_mx 1) fm.
  by rewrite -ev -em; apply: all => //; apply: stoP.
- by apply: (conservative_sound g0 g1 lohi range sP cG); rewrite (same _ _ _ e).
- move=> fm; have [P [r [x [[sub _] [range _ _] e [ev el] [em ep]]]]] := attained f hf fm.
  by rewrite -ev -el -em -ep; apply: all.
- by apply: (ending_sound g0 g1 lohi range sP cG); rewrite (same _ _ _ e).
Qed.
