(* Value differences are at most a constant times the root of d, with no additive constant. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain min_kernel reward_kernel stein kernel arith.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* convexity of the square, without a division by g *)
Lemma sq_convex (F : realFieldType) (g a b : F) : 0 <= g -> g < 1 ->
  (a + g * b) ^+ 2 <= (1 - g)^-1 * a ^+ 2 + g * b ^+ 2.
Proof.
move=> g0 g1; have h : 0 < 1 - g by rewrite subr_gt0.
rewrite -subr_ge0.
have -> : (1 - g)^-1 * a ^+ 2 + g * b ^+ 2 - (a + g * b) ^+ 2
          = g * (1 - g)^-1 * (a - (1 - g) * b) ^+ 2.
  by field; rewrite gt_eqF.
by rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0 // invr_ge0 ltW.
Qed.

Section Domination.
Variables (F : archiFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g c : F).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1).
Let K := krope_kernel P r R g.
Let K1 := reward_kernel r R.

(* what c K1 dominates, c K / (1 - gamma) dominates after all steps: u u' <= c K1 gives
   w w' <= c/(1-gamma) K for w = u + gamma P w *)
Lemma value_psd (u w : 'cV[F]_n) : w = u + g *: (P *m w) ->
  psd (c *: K1 - u *m u^T) -> psd ((c / (1 - g)) *: K - w *m w^T).
Proof.
move=> ew dom; apply: (stein_psd subP g0 g1) => v.
set M := _ - w *m w^T; have h : 0 < 1 - g by rewrite subr_gt0.
rewrite formD formN formZ form_conj subr_ge0.
have Kv : form K v v = form K1 v v + g * form K (v *m P) (v *m P).
  by rewrite {1}/K (krope_kernelP r R subP g0 g1) /krope_op formD formZ form_conj.
rewrite /M !formD !formN !formZ !form_outer Kv.
set a := (v *m u) 0 0; set b := (v *m P *m w) 0 0.
have -> : (v *m w) 0 0 = a + g * b.
  by rewrite {1}ew mulmxDr mxE -scalemxAr mulmxA; congr (_ + _); rewrite mxE.
have := dom v; rewrite formD formN formZ form_outer -/a subr_ge0 => d.
have := sq_convex a b g0 g1; set s := (a + g * b) => cv.
rewrite -!expr2 -subr_ge0.
set k1 := form K1 v v in d *; set kp := form K _ _.
have -> : c / (1 - g) * (k1 + g * kp) - s ^+ 2 - g * (c / (1 - g) * kp - b ^+ 2)
  = (1 - g)^-1 * (c * k1 - a * a) + ((1 - g)^-1 * a ^+ 2 + g * b ^+ 2 - s ^+ 2).
  by ring.
by rewrite addr_ge0 ?subr_ge0 // mulr_ge0 ?subr_ge0 // invr_ge0 ltW.
Qed.

Lemma dominated_gap (w : 'cV[F]_n) x y b : psd (b *: K - w *m w^T) ->
  (w x 0 - w y 0) ^+ 2 <= b * krope_dist P r R g x y.
Proof.
have sK : K^T = K := krope_kernel_sym _ _ subP g0 g1.
move=> /(_ (delta_mx 0 x - delta_mx 0 y)).
rewrite formD formN formZ form_outer distE // subr_ge0.
by rewrite mulmxBl -!rowE !mxE -expr2.
Qed.
End Domination.

Section Reward.
Variables (F : realFieldType) (n : nat) (r : 'cV[F]_n.+1) (R lo hi : F).
Hypotheses (hlo : forall x, lo <= r x 0) (hhi : forall x, r x 0 <= hi).
Let M := hi - lo.
Let c := (lo + hi) / 2%:R.
Let u : 'cV[F]_n.+1 := r - const_mx c.
Hypotheses (M0 : 0 < M) (MR : M <= 2%:R * R).

Let x i := r i 0 - lo.
Let one : 'cV[F]_n.+1 := const_mx 1.
Let bridge := M *: minmx x - (\col_i x i) *m (\col_i x i)^T.

Lemma bridge_psd : psd bridge.
Proof.
by apply: psd_bridge => [i|i|]; rewrite /x /M; have := M0; rewrite /M;
  [have := hlo i | have := hhi i |]; lra.
Qed.

(* (M R / 2) K1 = (M/2) (R - M/2) 11' + u u' + (M min(x_i, x_j) - x_i x_j), u the centred reward *)
Lemma reward_kernel_split :
  (M * R / 2%:R) *: reward_kernel r R
    = (M / 2%:R * (R - M / 2%:R)) *: (one *m one^T) + u *m u^T + bridge.
Proof.
have R0 : R != 0 by rewrite gt_eqF //; lra.
apply/matrixP=> i j; rewrite !mxE !big_ord1 !mxE absdiff_min.
have -> : Order.min (r i 0) (r j 0) = Order.min (x i) (x j) + lo.
  rewrite /x; have [h | h] := leP (r i 0) (r j 0); first by rewrite min_l ?ler_add2r // subrK.
  by rewrite min_r ?subrK // ler_add2r ltW.
set m := Order.min _ _; rewrite /x /c /M; move: (r i 0) (r j 0) => a b.
by field.
Qed.

(* rho0 R / 2 is the squared RKHS norm of the centred reward *)
Lemma centred_dominated : psd ((M * R / 2%:R) *: reward_kernel r R - u *m u^T).
Proof.
rewrite reward_kernel_split addrAC addrK; apply: psdD; last exact: bridge_psd.
apply: psdZ; last exact: psd_gram.
by apply: mulr_ge0; lra.
Qed.

Lemma reward_dominated : M < 2%:R * R ->
  psd ((R * M / 2%:R + 2%:R * R * c ^+ 2 / (2%:R * R - M)) *: reward_kernel r R - r *m r^T).
Proof.
move=> MR' v; have R0 : 0 < R by lra.
have rE : r = u + c *: one.
  by apply/colP=> i; rewrite !mxE mulr1 subrK.
rewrite formD formN formZ form_outer -expr2.
have -> : (v *m r) 0 0 = (v *m u) 0 0 + c * (v *m one) 0 0.
  by rewrite {1}rE mulmxDr -scalemxAr mxE [X in _ + X]mxE.
have := bridge_psd v; have := congr1 (fun A => form A v v) reward_kernel_split.
rewrite formZ 2!formD formZ !form_outer -!expr2.
set k := form (reward_kernel r R) v v; set s := (v *m one) 0 0; set t := (v *m u) 0 0.
set b := form bridge v v => e b0.
have a0 : 0 < 2%:R * R - M by lra.
have MR0 : 0 < M * R by apply: mulr_gt0.
have -> : (R * M / 2%:R + 2%:R * R * c ^+ 2 / (2%:R * R - M)) * k - (t + c * s) ^+ 2
  = (1 + 4%:R * c ^+ 2 / (M * (2%:R * R - M))) * b
    + (M * (2%:R * R - M) * s - 4%:R * c * t) ^+ 2 / (4%:R * M * (2%:R * R - M)).
  have -> : k = (M / 2%:R * (R - M / 2%:R) * s ^+ 2 + t ^+ 2 + b) / (M * R / 2%:R).
    by rewrite -e mulrAC divff ?mul1r // gt_eqF // divr_gt0 ?ltr0n.
  by field; rewrite !gt_eqF.
have h1 : 0 <= 4%:R * c ^+ 2 / (M * (2%:R * R - M)).
  by apply: divr_ge0; apply: mulr_ge0; rewrite ?ler0n ?sqr_ge0 // ltW.
have h2 : 0 <= (M * (2%:R * R - M) * s - 4%:R * c * t) ^+ 2 / (4%:R * M * (2%:R * R - M)).
  apply: divr_ge0; first exact: sqr_ge0.
  by apply: mulr_ge0; [apply: mulr_ge0|]; rewrite ?ler0n // ltW.
apply: addr_ge0 h2; apply: mulr_ge0 b0; exact: addr_ge0 ler01 h1.
Qed.
End Reward.

(* two pairs that absorb, with rewards 0 and 1: where the constant is attained *)
Section Absorbing.
Variables (F : realFieldType) (g : F).
Hypotheses (g0 : 0 <= g) (g1 : g < 1).
Let r : 'cV[F]_2 := \col_i (i == 1)%:R.

Lemma absorbing_stochastic : stochastic (1%:M : 'M[F]_2).
Proof.
split=> [i j | i]; first by rewrite mxE ler0n.
by rewrite (bigD1 i) //= big1 ?addr0 ?mxE ?eqxx // => j; rewrite mxE eq_sym => /negbTE ->.
Qed.

Lemma absorbing_spread : spread r = 1.
Proof.
apply/eqP; rewrite eq_le; apply/andP; split.
  apply: supnorm_le => [|i j]; first exact: ler01.
  rewrite !mxE; case: (i == 1); case: (j == 1).
  - by rewrite subrr normr0 ler01.
  - by rewrite subr0 normr1.
  - by rewrite sub0r normrN normr1.
  - by rewrite subrr normr0 ler01.
by have := le_spread r 1 0; rewrite !mxE /= subr0 normr1.
Qed.

Lemma absorbing_kernel : krope_kernel 1%:M r 1 g = (1 - g)^-1%:M.
Proof.
have h : 1 - g != 0 by rewrite subr_eq0 gt_eqF.
symmetry; apply: (krope_kernel_unique (stochastic_sub absorbing_stochastic) g0 g1).
rewrite /krope_op trmx1 mul1mx mulmx1; apply/matrixP=> i j; rewrite !mxE divr1.
case: i => [[|[|//]]] ?; case: j => [[|[|//]]] ? /=.
- by rewrite subrr normr0 mulr1n; field.
- by rewrite sub0r normrN normr1 subrr mulr0n mulr0 addr0.
- by rewrite subr0 normr1 subrr mulr0n mulr0 addr0.
- by rewrite subrr normr0 mulr1n; field.
Qed.

Lemma absorbing_values i : values 1%:M r g i 0 = r i 0 / (1 - g).
Proof.
have h : 1 - g != 0 by rewrite subr_eq0 gt_eqF.
suff <- : (1 - g)^-1 *: r = values 1%:M r g by rewrite mxE mulrC.
apply: (values_unique (stochastic_sub absorbing_stochastic) g0 g1).
by rewrite /bellman mul1mx; apply/colP=> j; rewrite !mxE; field.
Qed.

Lemma absorbing_sharp :
  0 < krope_dist 1%:M r (spread r) g 1 0 /\
  (values 1%:M r g 1 0 - values 1%:M r g 0 0) ^+ 2
    = spread r * spread r / (2%:R * (1 - g)) * krope_dist 1%:M r (spread r) g 1 0.
Proof.
have h : 1 - g != 0 by rewrite subr_eq0 gt_eqF.
rewrite /krope_dist /dist absorbing_spread absorbing_kernel !absorbing_values !mxE /=.
rewrite mulr1n mulr0n mulr0 subr0; split; last by field.
by rewrite addr_gt0 // invr_gt0 subr_gt0.
Qed.
End Absorbing.

Section Bounds.
Variables (F : archiFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F).
Hypotheses (g0 : 0 <= g) (g1 : g < 1).

Lemma conservative_bound x y : stochastic P -> spread r <= 2%:R * R ->
  (values P r g x 0 - values P r g y 0) ^+ 2 <= spread r * R / (2%:R * (1 - g)) * krope_dist P r R g x y.
Proof.
case: n P r x y => [|m] P' r' x y stoP hR; first by case: x.
have [i [j [e lo hi]]] := spread_attained r'.
have h : 1 - g != 0 by rewrite subr_eq0 gt_eqF.
have sub := stochastic_sub stoP; set q := values P' r' g.
have [M0 | M0] := eqVneq (spread r') 0.
  suff -> : q = const_mx (r' x 0 / (1 - g)) by rewrite !mxE subrr expr2 mulr0 M0 !mul0r.
  symmetry; apply: (values_unique sub g0 g1); rewrite /bellman.
  have -> : const_mx (r' x 0 / (1 - g)) = (r' x 0 / (1 - g)) *: const_mx 1 :> 'cV[F]_m.+1.
    by apply/colP=> z; rewrite !mxE mulr1.
  rewrite -scalemxAr (stochastic_one stoP); apply/colP=> z; rewrite !mxE !mulr1.
  have -> : r' z 0 = r' x 0.
    by apply/eqP; rewrite -subr_eq0 -normr_le0 -M0 le_spread.
  by field.
have Mp : 0 < r' j 0 - r' i 0 by rewrite -e lt_neqAle eq_sym M0 spread_ge0.
pose c := (r' i 0 + r' j 0) / 2%:R; pose w : 'cV[F]_m.+1 := q - const_mx (c / (1 - g)).
have -> : q x 0 - q y 0 = w x 0 - w y 0 by rewrite !mxE; ring.
have ew : w = (r' - const_mx c) + g *: (P' *m w).
  rewrite {1}/w {1}/q (values_fixed r' sub g0 g1) /bellman -/q /w mulmxBr.
  have -> : const_mx (c / (1 - g)) = (c / (1 - g)) *: const_mx 1 :> 'cV[F]_m.+1.
    by apply/colP=> z; rewrite !mxE mulr1.
  rewrite -scalemxAr (stochastic_one stoP); apply/colP=> z.
  set v := P' *m q; rewrite !mxE !mulr1; set a := v z 0; set b := r' z 0.
  by field.
have hR' : r' j 0 - r' i 0 <= 2%:R * R by rewrite -e.
have := value_psd sub g0 g1 ew (centred_dominated lo hi Mp hR').
move/(dominated_gap sub g0 g1 x y); rewrite -e; congr (_ <= _ * _).
by field.
Qed.

Lemma ending_dominated lo hi : (forall x, lo <= r x 0 <= hi) -> hi - lo < 2%:R * R ->
  psd ((R * (hi - lo) / 2%:R + 2%:R * R * ((lo + hi) / 2%:R) ^+ 2 / (2%:R * R - (hi - lo)))
    *: reward_kernel r R - r *m r^T).
Proof.
case: n r => [|m] r' hr MR; first by move=> v; rewrite /form (thinmx0 v) !mul0mx mxE.
have hlo x : lo <= r' x 0 by case/andP: (hr x).
have hhi x : r' x 0 <= hi by case/andP: (hr x).
have [M0 | M0] := ltP 0 (hi - lo); first by apply: reward_dominated => //; apply: ltW.
have e x : r' x 0 = lo by have := hlo x; have := hhi x; lra.
have -> : hi = lo by have := hlo 0; have := hhi 0; lra.
have R0 : R != 0 by rewrite gt_eqF //; have := hlo 0; have := hhi 0; lra.
suff -> : (R * (lo - lo) / 2%:R + 2%:R * R * ((lo + lo) / 2%:R) ^+ 2 / (2%:R * R - (lo - lo)))
    *: reward_kernel r' R - r' *m r'^T = 0 by apply: psd0.
apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE !e subrr normr0 mul0r !subr0.
by field.
Qed.
End Bounds.

(* |q(x) - q(y)| <= sqrt(rho0 R / (2 (1 - gamma))) sqrt(d(x,y)) where no episode ends, the constant being
   best possible for every gamma; where episodes end, with the squared RKHS norm N of the reward in
   place of rho0 R / 2. There q q' <= N/(1-gamma) K says that the squared RKHS norm of q is at most
   N/(1-gamma). *)
Theorem value_bound_rkhs (F : archiFieldType) :
  [/\ forall n (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F),
        stochastic P -> 0 <= g < 1 -> spread r <= 2%:R * R ->
        let q := values P r g in let d := krope_dist P r R g in
        forall x y a b, 0 <= a -> 0 <= b ->
        a ^+ 2 = spread r * R / (2%:R * (1 - g)) -> b ^+ 2 = d x y -> `|q x 0 - q y 0| <= a * b,
      forall n (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F),
        stochastic P -> 0 <= g < 1 -> spread r <= 2%:R * R ->
        let q := values P r g in let d := krope_dist P r R g in
        forall x y, (q x 0 - q y 0) ^+ 2 <= spread r * R / (2%:R * (1 - g)) * d x y,
      forall g : F, 0 <= g < 1 -> exists n (P : 'M[F]_n) (r : 'cV[F]_n),
        stochastic P /\ let q := values P r g in let d := krope_dist P r (spread r) g in
        exists x y, 0 < d x y /\ (q x 0 - q y 0) ^+ 2 = spread r * spread r / (2%:R * (1 - g)) * d x y
    & forall n (P : 'M[F]_n) (r : 'cV[F]_n) (R g lo hi : F),
        substochastic P -> 0 <= g < 1 -> (forall x, lo <= r x 0 <= hi) -> hi - lo < 2%:R * R ->
        let q := values P r g in let d := krope_dist P r R g in
        let c := (lo + hi) / 2%:R in
        let N := R * (hi - lo) / 2%:R + 2%:R * R * c ^+ 2 / (2%:R * R - (hi - lo)) in
        psd (N *: reward_kernel r R - r *m r^T) /\
        psd (N / (1 - g) *: krope_kernel P r R g - q *m q^T) /\
        forall x y, (q x 0 - q y 0) ^+ 2 <= N / (1 - g) * d x y].
Proof.
split.
- move=> n P r R g stoP /andP[g0 g1] hR q d x y a b a0 b0 ea eb.
  have := conservative_bound g0 g1 x y stoP hR; rewrite -ea -/(d x y) -eb -exprMn => h.
  by rewrite -ler_sqr ?nnegrE ?mulr_ge0 // real_normK ?num_real.
- by move=> n P r R g stoP /andP[g0 g1] hR q d x y; apply: conservative_bound.
- move=> g /andP[g0 g1]; exists 2%N, 1%:M, (\col_i (i == 1)%:R); split; first exact: absorbing_stochastic.
  by exists 1, 0; apply: absorbing_sharp.
- move=> n P r R g lo hi sub /andP[g0 g1] hr MR q d c N.
  have dom := ending_dominated g0 g1 hr MR; split=> //.
  have pq := value_psd sub g0 g1 (values_fixed r sub g0 g1) dom.
  by split=> // x y; apply: (dominated_gap sub g0 g1).
Qed.
