(* d(x,y) sums, step by step, the squared Cramer distances between the laws of the reward. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain reward_kernel stein kernel series mico independent_bound arith.
From Krope Require Import reward_laws.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma lasting_stochastic (F : realFieldType) n (P : 'M[F]_n) m : stochastic P -> lasting P m = const_mx 1.
Proof. by move=> sP; rewrite /lasting; elim: m => //= m ->; apply: stochastic_one. Qed.

Section Cramer.
Variables (F : archiFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g lo hi : F).
Hypotheses (stoP : stochastic P) (g0 : 0 <= g) (g1 : g < 1) (hR : R = 0 -> spread r = 0).
Hypothesis range : forall z, lo <= r z 0 <= hi.

(* twice the squared Cramer distance of the laws m steps after x and y *)
Lemma cramer_gap m x y :
  2%:R * step_integral (levels r lo hi) (fun t => (cdf P r m t x 0 - cdf P r m t y 0) ^+ 2)
    = 2%:R * copies_gap P r m x y - copies_gap P r m x x - copies_gap P r m y y.
Proof.
have lohi : lo <= hi by case/andP: (range x); apply: le_trans.
rewrite !(copies_gapE P range lohi) lasting_stochastic // -!step_integralZ !mxE.
rewrite -[- step_integral _ _]mulN1r -step_integralZ -step_integralD.
rewrite -[- step_integral _ _]mulN1r -step_integralZ -step_integralD.
by apply: eq_step_integral => t; ring.
Qed.

Lemma dist_mico x y : R * krope_dist P r R g x y = 2%:R * mico P r g x y - mico P r g x x - mico P r g y y.
Proof. by rewrite (mico_split stoP g0 g1 x y hR); set d := krope_dist _ _ _ _ _ _; field. Qed.

Lemma cramer_series x y :
  series_to (fun m => 2%:R * g ^+ m *
    step_integral (levels r lo hi) (fun t => (cdf P r m t x 0 - cdf P r m t y 0) ^+ 2))
    (R * krope_dist P r R g x y).
Proof.
apply: (@series_geom _ _ _ g (4%:R * supnorm (mico P r g))) => // m.
rewrite dist_mico.
have -> : \sum_(t < m) 2%:R * g ^+ t *
    step_integral (levels r lo hi) (fun s => (cdf P r t s x 0 - cdf P r t s y 0) ^+ 2)
  = 2%:R * (\sum_(t < m) g ^+ t * copies_gap P r t x y) - \sum_(t < m) g ^+ t * copies_gap P r t x x
    - \sum_(t < m) g ^+ t * copies_gap P r t y y.
  rewrite mulr_sumr -!sumrB; apply: eq_bigr => t _.
  by rewrite [2%:R * _]mulrC -mulrA cramer_gap; ring.
have := mico_error r stoP g0 g1 m x y; have := mico_error r stoP g0 g1 m x x.
have := mico_error r stoP g0 g1 m y y.
set a := \sum_(t < m) _; set b := \sum_(t < m) _; set c := \sum_(t < m) _.
set u := mico _ _ _ y y; set v := mico _ _ _ x x; set w := mico _ _ _ x y.
rewrite !ler_norml mulrCA; set e := g ^+ m * _.
by move=> ? ? ?; apply/andP; split; lra.
Qed.
End Cramer.

(* d(x,y) = (2/R) sum_m gamma^m int (F_m^x - F_m^y)^2 dt, where no episode ends. F_m^x is the
   distribution function of the reward m steps after x; lo and hi are any bounds on the rewards, and the
   integrand vanishes outside. The divisor R is 0 only where all rewards are equal. *)
Theorem cramer_identity (F : archiFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (R g lo hi : F) :
  stochastic P -> 0 <= g < 1 -> (R = 0 -> spread r = 0) -> (forall z, lo <= r z 0 <= hi) ->
  forall x y, series_to (fun m => 2%:R / R * (g ^+ m *
      step_integral (levels r lo hi) (fun t => (cdf P r m t x 0 - cdf P r m t y 0) ^+ 2)))
    (krope_dist P r R g x y).
Proof.
move=> stoP /andP[g0 g1] hR range x y; have [z | Rz] := eqVneq R 0.
  suff -> : krope_dist P r R g x y = 0.
    move=> e e0; exists 0%N => m _; rewrite big1 ?subrr ?normr0 ?ltW // => t _.
    by rewrite z invr0 mulr0 mul0r.
  have s0 := hR z; have sub := stochastic_sub stoP.
  have K1 : reward_kernel r R = const_mx 1.
    by apply/matrixP=> i j; rewrite !mxE z invr0 mulr0 subr0.
  suff -> : krope_dist P r R g x y = dist (const_mx (1 - g)^-1) x y by rewrite /dist !mxE; ring.
  rewrite /krope_dist; congr (dist _ x y); symmetry; apply: (krope_kernel_unique sub g0 g1).
  rewrite /krope_op K1 (sandwich_const stoP); apply/matrixP=> i j; rewrite !mxE.
  by field; rewrite subr_eq0 gt_eqF.
move=> e e0; have Rp : 0 < `|R| by rewrite normr_gt0.
have [N hN] := cramer_series stoP g0 g1 hR range x y (mulr_gt0 Rp e0).
exists N => m /hN h; rewrite -(ler_pmul2l Rp) -normrM mulrBr mulr_sumr; move: h; congr (`|_ - _| <= _).
by apply: eq_bigr => t _; set I := step_integral _ _; rewrite [RHS]mulrA [R * _]mulrCA divff // mulr1 mulrA.
Qed.
