(* The MICo distance U = |dr| + gamma E U(X', Y'), and the KROPE kernel as a constant minus U / R. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain reward_kernel stein kernel.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Mico.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F).

Definition reward_gap : 'M[F]_n := \matrix_(x, y) `|r x 0 - r y 0|.
Definition mico : 'M[F]_n := stein_solution P g reward_gap.

Hypotheses (stoP : stochastic P) (g0 : 0 <= g) (g1 : g < 1).
Let subP := stochastic_sub stoP.

Lemma micoP : mico = reward_gap + g *: (P *m mico *m P^T).
Proof. exact: (stein_solutionP subP g0 g1). Qed.

Lemma sandwich_const c : P *m const_mx c *m P^T = const_mx c :> 'M[F]_n.
Proof.
case: stoP => _ P1; apply/matrixP=> x y; rewrite !mxE.
rewrite (eq_bigr (fun k => c * P y k)) => [|k _]; first by rewrite -mulr_sumr P1 mulr1.
rewrite !mxE; congr (_ * _); rewrite -[RHS]mul1r -(P1 x) mulr_suml.
by apply: eq_bigr => l _; rewrite mxE.
Qed.

(* K = 11'/(1 - gamma) - U/R, so U(x,y) = (R/2) d(x,y) + U(x,x)/2 + U(y,y)/2 *)
Theorem mico_identity : R != 0 ->
  krope_kernel P r R g = const_mx (1 - g)^-1 - R^-1 *: mico /\
  forall x y, mico x y = R / 2%:R * krope_dist P r R g x y + mico x x / 2%:R + mico y y / 2%:R.
Proof.
move=> R0; have h : 1 - g != 0 by rewrite subr_eq0 gt_eqF.
have e : krope_kernel P r R g = const_mx (1 - g)^-1 - R^-1 *: mico.
  symmetry; apply: (krope_kernel_unique subP g0 g1).
  rewrite /krope_op mulmxBr mulmxBl sandwich_const -scalemxAr -scalemxAl {1}micoP.
  apply/matrixP=> x y; set V := P *m mico *m P^T; rewrite !mxE.
  by set t := `|_|; set v := V x y; field; rewrite R0 h.
split=> // x y; rewrite /krope_dist /dist e !mxE.
by set a := mico x x; set b := mico y y; set c := mico x y; field; rewrite R0 h.
Qed.

(* the same with a divisor that is 0 where all rewards are equal *)
Lemma mico_split x y : (R = 0 -> spread r = 0) ->
  mico x y = R / 2%:R * krope_dist P r R g x y + mico x x / 2%:R + mico y y / 2%:R.
Proof.
move=> hR; have [R0 | R0] := eqVneq R 0; last by have [_ e] := mico_identity R0.
suff -> : mico = 0 by rewrite R0 !mxE !mul0r !addr0.
symmetry; apply: (stein_solution_unique subP g0 g1).
rewrite /stein_op mulmx0 mul0mx scaler0 addr0; apply/matrixP=> i j; rewrite !mxE.
by have := le_spread r i j; rewrite hR // normr_le0 => /eqP ->; rewrite normr0.
Qed.
End Mico.
