(* Bellman completeness of classes of functions constant on groups of pairs; Theorem 2. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd chain reward_kernel stein kernel abstraction distance reward_range.
From Krope Require Import rational arith witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Classes.
Variables (F : realFieldType) (n m : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (phi : 'I_n -> 'I_m).

(* T f lies in the class whenever f does *)
Definition bellman_complete (class : 'cV[F]_n -> Prop) := forall f, class f -> class (bellman P r g f).
(* functions constant on the groups of phi *)
Definition piecewise (f : 'cV[F]_n) := forall x y, phi x = phi y -> f x 0 = f y 0.
(* the same, with values between lo/(1-gamma) and hi/(1-gamma) *)
Definition boxed_piecewise (lo hi : F) (f : 'cV[F]_n) :=
  piecewise f /\ forall x, lo / (1 - g) <= f x 0 <= hi / (1 - g).

(* E f(X') is a sum over groups of the value times the probability *)
Lemma grouped_mean f x : piecewise f ->
  (P *m f) x 0 = \sum_c group_mass phi P x c * (if [pick z | phi z == c] is Some z then f z 0 else 0).
Proof.
move=> fc; rewrite mxE (partition_big phi xpredT) //=; apply: eq_bigr => c _.
rewrite /group_mass; case: pickP => [z0 /eqP z0c | none]; last by rewrite mulr0 big_pred0.
by rewrite mulr_suml; apply: eq_bigr => z /eqP zc; rewrite (fc z z0) ?zc.
Qed.

Lemma bellmanE f x : bellman P r g f x 0 = r x 0 + g * (P *m f) x 0.
Proof. by rewrite /bellman mxE [X in _ + X]mxE. Qed.

Lemma bisimulation_piecewise : pi_bisimulation phi P r -> bellman_complete piecewise.
Proof.
move=> bis f fc x y xy; have [er em] := bis x y xy.
by rewrite !bellmanE er !grouped_mean //; congr (_ + _ * _); apply: eq_bigr => c _; rewrite em.
Qed.

Lemma bellman_box lo hi (f : 'cV[F]_n) : 0 <= g -> g < 1 -> (forall x, lo <= r x 0 <= hi) ->
  stochastic P \/ (substochastic P /\ lo <= 0 <= hi) ->
  (forall x, lo / (1 - g) <= f x 0 <= hi / (1 - g)) ->
  forall x, lo / (1 - g) <= bellman P r g f x 0 <= hi / (1 - g).
Proof.
move=> g0 g1 hr hP hf x; have h : 0 < 1 - g by rewrite subr_gt0.
have subP : substochastic P by case: hP => [/stochastic_sub|[]].
have P0 y : 0 <= P x y := subP.1 x y; pose s := \sum_y P x y.
have low : s * (lo / (1 - g)) <= (P *m f) x 0.
  by rewrite mxE /s mulr_suml; apply: ler_sum => y _; rewrite ler_wpmul2l //; case/andP: (hf y).
have high : (P *m f) x 0 <= s * (hi / (1 - g)).
  by rewrite mxE /s mulr_suml; apply: ler_sum => y _; rewrite ler_wpmul2l //; case/andP: (hf y).
have s0 : 0 <= s by apply: sumr_ge0.
have s1 : s <= 1 := subP.2 x.
have low' : lo / (1 - g) <= s * (lo / (1 - g)).
  case: hP => [[_ P1]|[_ /andP[l0 _]]]; first by rewrite /s P1 mul1r.
  have : lo / (1 - g) <= 0 by rewrite pmulr_lle0 ?invr_gt0.
  by move: s1; clear; nra.
have high' : s * (hi / (1 - g)) <= hi / (1 - g).
  case: hP => [[_ P1]|[_ /andP[_ h0]]]; first by rewrite /s P1 mul1r.
  by rewrite ler_pimull // divr_ge0 // ltW.
have /andP[r0 r1] := hr x; rewrite bellmanE.
have el : lo / (1 - g) = lo + g * (lo / (1 - g)) by field; rewrite gt_eqF.
have eh : hi / (1 - g) = hi + g * (hi / (1 - g)) by field; rewrite gt_eqF.
apply/andP; split; [rewrite el | rewrite eh]; apply: ler_add => //; rewrite ler_wpmul2l //.
  exact: le_trans low' low.
exact: le_trans high high'.
Qed.
End Classes.

(* A pi-bisimulation's class of piecewise constant functions is Bellman complete, with or without the
   box of values; where episodes end the box must contain 0. *)
Theorem prop_bisimulation_complete (F : realFieldType) n m (P : 'M[F]_n) (r : 'cV[F]_n) (g : F)
    (phi : 'I_n -> 'I_m) :
  0 <= g < 1 -> pi_bisimulation phi P r ->
  bellman_complete P r g (piecewise phi) /\
  forall lo hi, (forall x, lo <= r x 0 <= hi) ->
    stochastic P \/ (substochastic P /\ lo <= 0 <= hi) ->
    bellman_complete P r g (boxed_piecewise g phi lo hi).
Proof.
move=> /andP[g0 g1] bis; split=> [|lo hi hr hP f [fc fb]]; first exact: bisimulation_piecewise.
by split; [apply: bisimulation_piecewise | apply: bellman_box].
Qed.

Section Grouping.
Variables (F : archiFieldType) (n m : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (phi : 'I_n -> 'I_m).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1) (hR : spread r <= R).
Hypothesis onto : forall c, exists x, phi x = c.
Hypothesis group : forall x y, phi x = phi y <-> krope_dist P r R g x y = 0.
Let K := krope_kernel P r R g.

Let R0 : 0 <= R.
Proof. exact: le_trans (spread_ge0 r) hR. Qed.
Let hR2 : spread r <= 2%:R * R.
Proof. by move: hR R0; lra. Qed.
Let symK : K^T = K.
Proof. exact: krope_kernel_sym. Qed.
Let psdK : psd K.
Proof. exact: krope_kernel_psd. Qed.

Lemma group_rewards x y : phi x = phi y -> r x 0 = r y 0.
Proof.
move/group; have [-> _] := prop_distance_identity r R subP g0 g1 x y.
have h1 : 0 <= 2%:R / R * `|r x 0 - r y 0| by rewrite mulr_ge0 ?divr_ge0 ?ler0n.
have h2 : 0 <= g * mmd2 K (row x P) (row y P) by rewrite mulr_ge0 //; apply: psdK.
move/eqP; rewrite paddr_eq0 // => /andP[/eqP h _]; apply/eqP; rewrite -subr_eq0 -normr_le0.
have [z | z] := eqVneq R 0; first by apply: le_trans (le_spread r x y) _; rewrite -z.
move/eqP: h; rewrite mulf_eq0 => /orP[|/eqP ->]; last by [].
by rewrite mulf_eq0 invr_eq0 (negbTE z) pnatr_eq0.
Qed.

Lemma group_embeddings x y : 0 < g -> phi x = phi y -> (row x P - row y P) *m K = 0.
Proof.
move=> gp /group; have [-> _] := prop_distance_identity r R subP g0 g1 x y.
have h1 : 0 <= 2%:R / R * `|r x 0 - r y 0| by rewrite mulr_ge0 ?divr_ge0 ?ler0n.
have h2 : 0 <= g * mmd2 K (row x P) (row y P) by rewrite mulr_ge0 //; apply: psdK.
move/eqP; rewrite paddr_eq0 // => /andP[_]; rewrite mulf_eq0 gt_eqF //= => /eqP.
exact: psd_null.
Qed.

Lemma mass_diff x y c :
  \sum_z (row x P - row y P) 0 z * (phi z == c)%:R = group_mass phi P x c - group_mass phi P y c.
Proof.
rewrite /group_mass -sumrB [RHS]big_mkcond; apply: eq_bigr => z _; rewrite !mxE.
by case: (phi z == c); rewrite ?mulr1 ?mulr0.
Qed.

(* distinct abstract rewards: K >= K1, and K1 separates the masses of reward levels *)
Lemma injective_masses x y c : 0 < g -> (forall x y, r x 0 = r y 0 -> phi x = phi y) ->
  phi x = phi y -> group_mass phi P x c = group_mass phi P y c.
Proof.
move=> gp inj xy; set v := row x P - row y P.
have vK : form K v v = 0 by rewrite /form group_embeddings // mul0mx mxE.
have null : form (reward_kernel r R) v v = 0.
  have e : form K v v = form (reward_kernel r R) v v + g * form K (v *m P) (v *m P).
    by rewrite {1}/K (krope_kernelP r R subP g0 g1) /krope_op formD formZ form_conj.
  have h1 : 0 <= form (reward_kernel r R) v v by apply: psd_reward_kernel.
  have h2 : 0 <= g * form K (v *m P) (v *m P) by rewrite mulr_ge0 //; apply: psdK.
  by move/eqP: vK; rewrite e paddr_eq0 // => /andP[/eqP].
have [z zc] := onto c.
have cond : (spread r < 2%:R * R) || (spread r == 0).
  have := spread_ge0 r; rewrite le_eqVlt eq_sym => /orP[/eqP -> | sp]; first by rewrite eqxx orbT.
  by apply/orP; left; move: sp hR; lra.
have := reward_kernel_null cond null (fun t => (t == r z 0)%:R).
have -> : \sum_k v 0 k * (r k 0 == r z 0)%:R = \sum_k v 0 k * (phi k == c)%:R.
  apply: eq_bigr => k _; congr (_ * _%:R); congr nat_of_bool.
  apply/eqP/eqP=> [/inj -> // | e]; apply: group_rewards; rewrite e zc //.
by rewrite mass_diff => /eqP; rewrite subr_eq0 => /eqP.
Qed.

(* as many groups as the rank: the kernel of the groups is invertible *)
Lemma full_rank_masses x y c : 0 < g -> \rank K = m ->
  phi x = phi y -> group_mass phi P x c = group_mass phi P y c.
Proof.
move=> gp rK xy; set v := row x P - row y P.
have [s hs] : exists s : 'I_m -> 'I_n, forall c, phi (s c) = c.
  have h c' : exists x, phi x == c' by have [z <-] := onto c'; exists z.
  by exists (fun c' => xchoose (h c')) => c'; apply/eqP/(xchooseP (h c')).
pose E : 'M[F]_(n, m) := \matrix_(z, c') (phi z == c')%:R.
pose S : 'M[F]_(m, n) := \matrix_(c', z) (z == s c')%:R.
have mulE p (A : 'M[F]_(m, p)) i j : (E *m A) i j = A (phi i) j.
  rewrite mxE (bigD1 (phi i)) //= big1 ?addr0 ?mxE ?eqxx ?mul1r // => c' /negbTE ne.
  by rewrite mxE eq_sym ne mul0r.
have mulS p (A : 'M[F]_(n, p)) i j : (S *m A) i j = A (s i) j.
  rewrite mxE (bigD1 (s i)) //= big1 ?addr0 ?mxE ?eqxx ?mul1r // => c' /negbTE ne.
  by rewrite mxE ne mul0r.
have rowK i j : phi i = phi j -> row i K = row j K.
  by move/group; apply: (lemma_kernel_embedding _ _ _ _).1.
have eK : K = E *m (S *m K).
  apply/matrixP=> i j; rewrite mulE mulS; have := rowK i (s (phi i)); rewrite hs => /(_ erefl).
  by move/rowP/(_ j); rewrite !mxE.
have freeSK : row_free (S *m K).
  rewrite /row_free eqn_leq rank_leq_row /= -{1}rK {1}eK; exact: mxrankM_maxr.
have : v *m E *m (S *m K) = 0 by rewrite -mulmxA -eK group_embeddings.
rewrite -(mul0mx _ (S *m K)) => /(row_free_inj freeSK) e.
have := congr1 (fun A : 'rV[F]_m => A 0 c) e; rewrite /= mxE [RHS]mxE.
have -> : \sum_j v 0 j * E j c = \sum_z v 0 z * (phi z == c)%:R.
  by apply: eq_bigr => z _; rewrite [E z c]mxE.
by rewrite mass_diff => /eqP; rewrite subr_eq0 => /eqP.
Qed.
End Grouping.

(* Group the pairs at KROPE distance 0. If distinct groups have distinct rewards, or more generally if
   rank K is the number of groups, then functions constant on groups form a Bellman complete class, and
   (gamma > 0) the groups are a pi-bisimulation. The divisor R is the range of the rewards, or wider. *)
Theorem theorem_2 (F : archiFieldType) n m (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (phi : 'I_n -> 'I_m) :
  substochastic P -> 0 <= g < 1 -> spread r <= R ->
  (forall c, exists x, phi x = c) ->
  (forall x y, phi x = phi y <-> krope_dist P r R g x y = 0) ->
  (forall x y, r x 0 = r y 0 -> phi x = phi y) \/ \rank (krope_kernel P r R g) = m ->
  [/\ bellman_complete P r g (piecewise phi),
      forall lo hi, (forall x, lo <= r x 0 <= hi) -> stochastic P \/ lo <= 0 <= hi ->
        bellman_complete P r g (boxed_piecewise g phi lo hi)
    & 0 < g -> pi_bisimulation phi P r].
Proof.
move=> subP /andP[g0 g1] hR onto group prem.
have rew x y : phi x = phi y -> r x 0 = r y 0 by apply: group_rewards subP g0 g1 hR group x y.
have bis : 0 < g -> pi_bisimulation phi P r.
  move=> gp x y xy; split=> [|c]; first exact: rew.
  case: prem => [inj | full].
    exact: (injective_masses subP g0 g1 hR onto group c gp inj xy).
  exact: (full_rank_masses subP g0 g1 hR onto group c gp full xy).
have comp : bellman_complete P r g (piecewise phi).
  move: g0; rewrite le_eqVlt => /orP[/eqP z | gp]; last exact/bisimulation_piecewise/bis.
  by move=> f _ x y xy; rewrite !bellmanE -z !mul0r !addr0; apply: rew.
split=> // lo hi hr hP f [fc fb]; split; first exact: comp.
by apply: bellman_box => //; case: hP; [left | right].
Qed.

(* x -> a or b (1/2 each), y -> c; a -> +, b -> -, c -> + or - (1/2 each); + and - absorb.
   Order x y a b c + -. *)
Section Tables.
Local Open Scope Q_scope.
Definition marginals_P : seq (seq Q) :=
  [:: [:: 0; 0; 1#2; 1#2; 0; 0; 0]; [:: 0; 0; 0; 0; 1; 0; 0]; [:: 0; 0; 0; 0; 0; 1; 0];
      [:: 0; 0; 0; 0; 0; 0; 1]; [:: 0; 0; 0; 0; 0; 1#2; 1#2]; [:: 0; 0; 0; 0; 0; 1; 0];
      [:: 0; 0; 0; 0; 0; 0; 1]].
Definition marginals_r : seq Q := [:: 0; 0; 0; 0; 0; 1; -1].
Definition marginals_g : Q := 9#10.
Definition marginals_K : seq (seq Q) :=
  [:: [:: 119#20; 119#20; 11#2; 11#2; 11#2; 5; 5]; [:: 119#20; 119#20; 11#2; 11#2; 11#2; 5; 5];
      [:: 11#2; 11#2; 10; 1; 11#2; 19#2; 1#2]; [:: 11#2; 11#2; 1; 10; 11#2; 1#2; 19#2];
      [:: 11#2; 11#2; 11#2; 11#2; 11#2; 5; 5]; [:: 5; 5; 19#2; 1#2; 5; 10; 0];
      [:: 5; 5; 1#2; 19#2; 5; 0; 10]].
(* the indicator of a *)
Definition at_a : seq Q := [:: 0; 0; 1; 0; 0; 0; 0].
(* distance 0 holds of x and y, and of no other two pairs: groups are told by the predecessor of the index *)
Definition marginals_groups :=
  allQ 7 (fun i => allQ 7 (fun j => eqb (i.-1 == j.-1)%B (Qeq_bool (distQ marginals_K i j) 0))).
Definition at_a_groups :=
  allQ 7 (fun i => allQ 7 (fun j => (i.-1 == j.-1)%B ==> Qeq_bool (item at_a i) (item at_a j))).
Definition at_a_box := allQ 7 (fun i => Qle_bool (-10) (item at_a i) && Qle_bool (item at_a i) 10).
End Tables.

(* Theorem 2 without its premise on abstract rewards (gamma > 0, the class of the paper: functions
   constant on groups, with values between r_min/(1-gamma) and r_max/(1-gamma)) *)
Definition theorem_2_without_injectivity_claim (F : realFieldType) :=
  forall n m (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (phi : 'I_n -> 'I_m),
  paper_chain P r g -> 0 < g ->
  (forall c, exists x, phi x = c) ->
  (forall x y, phi x = phi y <-> krope_dist P r (spread r) g x y = 0) ->
  bellman_complete P r g (boxed_piecewise g phi (-1) 1).

(* d(x,y) = 0, yet f = 1{a} has (T f)(x) = 9/20 and (T f)(y) = 0 *)
Theorem theorem_2_without_injectivity (F : realFieldType) : ~ theorem_2_without_injectivity_claim F.
Proof.
pose phi (i : 'I_7) : 'I_6 := inord i.-1.
have val i : phi i = i.-1 :> nat by rewrite /phi inordK //; case: i => [[|i] hi].
move=> /(_ _ _ _ _ _ phi (@paper_chainQP F 7 marginals_P marginals_r marginals_g isT)).
have gp : 0 < ofQ F marginals_g by rewrite -(ofQ0 F); apply: ofQ_ltP.
have onto c : exists x, phi x = c.
  by exists (lift ord0 c); apply: val_inj; rewrite /= val lift0.
have group x y : phi x = phi y <-> krope_dist (mxQ F 7 7 marginals_P) (colQ F 7 marginals_r)
    (spread (colQ F 7 marginals_r)) (ofQ F marginals_g) x y = 0.
  rewrite (@krope_distQP F 7 _ _ _ marginals_K) //.
  have /eqbP e := allQP (allQP (isT : marginals_groups) x) y.
  split=> [/(congr1 (@nat_of_ord 6)) | h].
    by rewrite !val => /eqP h; rewrite h in e; rewrite -(ofQ0 F); apply: ofQ_eqP; rewrite -e.
  apply: val_inj; apply/eqP; rewrite /= !val e; apply: (@ofQ_inj F).
  by rewrite h ofQ0.
move=> /(_ gp onto group (colQ F 7 at_a)) [].
  split=> [x y /(congr1 (@nat_of_ord 6)) | x].
    rewrite !val !mxE => /eqP h; have := allQP (allQP (isT : at_a_groups) x) y.
    by rewrite h => /(ofQ_eqP F).
  have /andP[h1 h2] := allQP (isT : at_a_box) x.
  have -> : 1 - ofQ F marginals_g = ofQ F (Qmake 1 10) by rewrite -(ofQ1 F) -ofQB; apply: ofQ_eqP.
  rewrite !mxE -(ofQ1 F) -ofQN -!ofQ_div; apply/andP; split.
    by apply: le_trans (ofQ_leP F h1); apply: ofQ_leP.
  by apply: (le_trans (ofQ_leP F h2)); apply: ofQ_leP.
move=> h _; have := h (@Ordinal 7 0 isT) (@Ordinal 7 1 isT); rewrite !bellmanQE => e.
by have /ofQ_inj := e (congr1 (fun k => inord k : 'I_6) (erefl 0%N)).
Qed.
