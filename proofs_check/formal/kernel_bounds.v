(* The entries of the KROPE kernel: above those of the reward kernel, non-negative, at most 1/(1 - gamma). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import psd supnorm chain stein reward_kernel kernel discounted.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Bounds.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1) (R0 : 0 <= R) (hR : spread r <= R).
Let K := krope_kernel P r R g.
Let K1 := reward_kernel r R.

Lemma sandwich_sum (A : 'M[F]_n) x y : (P *m A *m P^T) x y = \sum_k \sum_l P x k * P y l * A k l.
Proof.
rewrite mxE exchange_big /=; apply: eq_bigr => l _.
by rewrite !mxE mulr_suml; apply: eq_bigr => k _; rewrite mulrAC.
Qed.

Lemma sandwich_below (A B : 'M[F]_n) : below A B -> below (P *m A *m P^T) (P *m B *m P^T).
Proof.
have [P0 _] := subP; move=> AB x y; rewrite !sandwich_sum.
by apply: ler_sum => k _; apply: ler_sum => l _; rewrite ler_wpmul2l ?mulr_ge0.
Qed.

Lemma sandwich_const c x y : 0 <= c -> (P *m const_mx c *m P^T) x y <= c.
Proof.
have [P0 P1] := subP; move=> c0; rewrite sandwich_sum.
have -> : \sum_k \sum_l P x k * P y l * (const_mx c : 'M[F]_n) k l = (\sum_k P x k) * (\sum_l P y l) * c.
  rewrite -mulrA mulr_suml; apply: eq_bigr => k _; rewrite mulr_suml mulr_sumr; apply: eq_bigr => l _.
  by rewrite mxE mulrA.
by rewrite ler_pimull // mulr_ile1 ?sumr_ge0.
Qed.

Lemma krope_opE (A : 'M[F]_n) x y : krope_op P r R g A x y = K1 x y + g * (P *m A *m P^T) x y.
Proof. by rewrite /krope_op mxE [X in _ + X]mxE. Qed.

Lemma krope_discounted : discounted g (krope_op P r R g).
Proof.
split=> [A B AB | A c c0] x y; rewrite ?shiftE !krope_opE.
  by rewrite ler_add2l ler_wpmul2l // sandwich_below.
rewrite -addrA ler_add2l -mulrDr ler_wpmul2l // mulmxDr mulmxDl mxE.
by rewrite ler_add2l sandwich_const.
Qed.

Lemma reward_kernel_ge0 : below 0 K1.
Proof.
move=> x y; rewrite !mxE subr_ge0; move: R0; rewrite le_eqVlt => /orP[/eqP <- | Rp]; first by rewrite invr0 mulr0 ler01.
by rewrite ler_pdivr_mulr // mul1r (le_trans (le_spread r x y)).
Qed.

Theorem krope_kernel_ge0 : below 0 K.
Proof.
apply: (comparison g1 krope_discounted); first by rewrite -krope_kernelP.
move=> x y; rewrite krope_opE mulmx0 mul0mx [X in _ + _ * X]mxE mulr0 addr0.
exact: reward_kernel_ge0.
Qed.

Theorem krope_kernel_above : below K1 K.
Proof.
move=> x y; rewrite /K krope_kernelP // krope_opE ler_addl mulr_ge0 //.
by have := sandwich_below krope_kernel_ge0 x y; rewrite mulmx0 mul0mx mxE.
Qed.

Theorem krope_kernel_le : below K (const_mx (1 - g)^-1).
Proof.
have q0 : 0 < 1 - g by rewrite subr_gt0.
apply: (comparison g1 krope_discounted); last by rewrite -krope_kernelP.
move=> x y; rewrite krope_opE [X in _ <= X]mxE.
apply: le_trans (_ : 1 + g * (1 - g)^-1 <= _).
  apply: ler_add; last by rewrite ler_wpmul2l // sandwich_const // invr_ge0 ltW.
  by rewrite mxE ger_addl oppr_le0 divr_ge0.
by rewrite -{1}(mulfV (lt0r_neq0 q0)) -mulrDl subrK mul1r.
Qed.
End Bounds.
