(* The sup norm of a matrix, and what a power of gamma < 1 makes small in an archimedean field. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Norm.
Variable R : realFieldType.

Definition supnorm m n (A : 'M[R]_(m, n)) : R :=
  \big[Order.max/0]_(ij : 'I_m * 'I_n) `|A ij.1 ij.2|.

Lemma supnorm_ge0 m n (A : 'M[R]_(m, n)) : 0 <= supnorm A.
Proof. by rewrite /supnorm; elim/big_ind: _ => // x y x0 y0; rewrite le_maxr x0. Qed.

Lemma le_supnorm m n (A : 'M[R]_(m, n)) i j : `|A i j| <= supnorm A.
Proof.
rewrite /supnorm; have := mem_index_enum (i, j); elim: (index_enum _) => // p s IH.
by rewrite inE big_cons le_maxr => /orP[/eqP <-|/IH ->]; rewrite ?lexx ?orbT.
Qed.

Lemma supnorm_le m n (A : 'M[R]_(m, n)) c :
  0 <= c -> (forall i j, `|A i j| <= c) -> supnorm A <= c.
Proof. by move=> c0 h; rewrite /supnorm; elim/big_ind: _ => // x y hx hy; rewrite le_maxl hx. Qed.

Lemma supnorm_eq0 m n (A : 'M[R]_(m, n)) : supnorm A <= 0 -> A = 0.
Proof.
move=> h; apply/matrixP=> i j; rewrite mxE; apply/eqP; rewrite -normr_le0.
exact: le_trans (le_supnorm A i j) h.
Qed.

Lemma supnorm_tr m n (A : 'M[R]_(m, n)) : supnorm A^T = supnorm A.
Proof.
apply/eqP; rewrite eq_le; apply/andP; split.
  by apply: supnorm_le => [|i j]; rewrite ?supnorm_ge0 // mxE le_supnorm.
apply: supnorm_le => [|i j]; first exact: supnorm_ge0.
by have := le_supnorm A^T j i; rewrite mxE.
Qed.

Lemma supnormN m n (A : 'M[R]_(m, n)) : supnorm (- A) = supnorm A.
Proof. by apply: eq_bigr => ij _; rewrite mxE normrN. Qed.

Lemma supnormZ m n c (A : 'M[R]_(m, n)) : supnorm (c *: A) <= `|c| * supnorm A.
Proof.
apply: supnorm_le => [|i j]; first by rewrite mulr_ge0 ?supnorm_ge0.
by rewrite mxE normrM ler_wpmul2l // le_supnorm.
Qed.

Lemma supnormD m n (A B : 'M[R]_(m, n)) : supnorm (A + B) <= supnorm A + supnorm B.
Proof.
apply: supnorm_le => [|i j]; first by rewrite addr_ge0 ?supnorm_ge0.
by rewrite mxE; apply: le_trans (ler_norm_add _ _) _; rewrite ler_add ?le_supnorm.
Qed.

(* the largest absolute entry is one of the entries, or there is none *)
Lemma supnorm_attained m n (A : 'M[R]_(m, n)) :
  supnorm A = 0 \/ exists i j, supnorm A = `|A i j|.
Proof.
rewrite /supnorm; elim/big_ind: _ => [|x y hx hy|[i j] _]; [by left| |by right; exists i, j].
by case: (leP x y).
Qed.
End Norm.

Section Geometric.
Variables (R : archiFieldType) (g : R).
Hypotheses (g0 : 0 <= g) (g1 : g < 1).

Lemma geom_bound N : N%:R * (1 - g) * g ^+ N <= 1 - g ^+ N.
Proof.
elim: N => [|N IH]; first by rewrite !mul0r expr0 subrr.
have -> : N.+1%:R * (1 - g) * g ^+ N.+1
          = g * (N%:R * (1 - g) * g ^+ N) + (1 - g) * g ^+ N.+1.
  by rewrite exprS (_ : N.+1%:R = N%:R + 1 :> R); [ring | rewrite -addn1 natrD].
apply: le_trans (_ : g * (1 - g ^+ N) + (1 - g) * g ^+ N.+1 <= _).
  by rewrite ler_add2r ler_wpmul2l.
rewrite -subr_ge0.
have -> : 1 - g ^+ N.+1 - (g * (1 - g ^+ N) + (1 - g) * g ^+ N.+1)
          = (1 - g) * (1 - g ^+ N.+1) by rewrite exprS; ring.
by rewrite mulr_ge0 // subr_ge0 ?exprn_ile1 ?(ltW g1).
Qed.

(* the only place where the field has to be archimedean *)
Lemma geom_ge0 a C : 0 <= C -> (forall N, - (g ^+ N * C) <= a) -> 0 <= a.
Proof.
move=> C0 h; rewrite leNgt; apply/negP => a0.
have na0 : 0 < - a by rewrite oppr_gt0.
have g1' : 0 < 1 - g by rewrite subr_gt0.
have x0 : 0 <= C / ((1 - g) * - a) by rewrite divr_ge0 // mulr_ge0 ?ltW.
have := archi_boundP x0; set N := Num.bound _; apply/negP; rewrite -leNgt.
rewrite ler_pdivl_mulr ?mulr_gt0 // mulrA.
apply: le_trans (_ : N%:R * (1 - g) * (g ^+ N * C) <= _).
  by rewrite ler_wpmul2l ?mulr_ge0 ?ler0n ?(ltW g1') // ler_oppl.
rewrite mulrA ler_pimull //; apply: le_trans (geom_bound N) _.
by rewrite ger_addl oppr_le0 exprn_ge0.
Qed.

(* gamma^N C is below every positive e from some N on *)
Lemma geom_small e C : 0 < e -> exists N, forall t, (N <= t)%N -> g ^+ t * C <= e.
Proof.
move=> e0; have [C0 | C0] := leP C 0.
  by exists 0%N => t _; apply: le_trans (ltW e0); rewrite mulr_ge0_le0 ?exprn_ge0.
have g1' : 0 < 1 - g by rewrite subr_gt0.
have x0 : 0 <= C / ((1 - g) * e) by rewrite divr_ge0 ?mulr_ge0 ?ltW.
exists (Num.bound (C / ((1 - g) * e))) => t /subnKC <-.
have := archi_boundP x0; set N := Num.bound _; rewrite ltr_pdivr_mulr ?mulr_gt0 // mulrA => hN.
rewrite exprD mulrAC; apply: le_trans (_ : g ^+ N * C <= _).
  by apply: ler_pimulr; [rewrite mulr_ge0 ?exprn_ge0 // ltW | rewrite exprn_ile1 // ltW].
have [-> | N0] := eqVneq (g ^+ N) 0; first by rewrite mul0r ltW.
have gp : 0 < g ^+ N by rewrite lt_neqAle eq_sym N0 exprn_ge0.
apply: le_trans (_ : g ^+ N * (N%:R * (1 - g) * e) <= _); first by rewrite ler_wpmul2l ?exprn_ge0 // ltW.
rewrite mulrA ler_pimull ?(ltW e0) // mulrC; apply: le_trans (geom_bound N) _.
by rewrite ger_addl oppr_le0 exprn_ge0.
Qed.
End Geometric.

