(* The reward kernel K1 = 1 - |r_x - r_y| / R: positive semidefinite exactly from half the range on. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm min_kernel.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section RewardKernel.
Variable F : realFieldType.

(* division by 0 is 0 in Mathematical Components: K1 is all ones when R = 0 *)
Definition reward_kernel n (r : 'cV[F]_n) (R : F) : 'M[F]_n := \matrix_(x, y) (1 - `|r x 0 - r y 0| / R).
(* rho0 = max r - min r *)
Definition spread n (r : 'cV[F]_n) : F := supnorm (\matrix_(x < n, y < n) (r x 0 - r y 0)).

Lemma spread_ge0 n (r : 'cV[F]_n) : 0 <= spread r.
Proof. exact: supnorm_ge0. Qed.

Lemma le_spread n (r : 'cV[F]_n) x y : `|r x 0 - r y 0| <= spread r.
Proof. by have := le_supnorm (\matrix_(x < n, y < n) (r x 0 - r y 0)) x y; rewrite mxE. Qed.

Lemma spread_attained n (r : 'cV[F]_n.+1) :
  exists x y, [/\ spread r = r y 0 - r x 0, forall z, r x 0 <= r z 0 & forall z, r z 0 <= r y 0].
Proof.
have [x _ hx] := @arg_minP _ _ _ (ord0 : 'I_n.+1) xpredT (fun i => r i 0) isT.
have [y _ hy] := @arg_maxP _ _ _ (ord0 : 'I_n.+1) xpredT (fun i => r i 0) isT.
exists x, y; split=> [|z|z]; [|exact: hx|exact: hy].
apply/eqP; rewrite eq_le; apply/andP; split; last by apply: le_trans (le_spread r y x); apply: ler_norm.
apply: supnorm_le => [|i j]; first by rewrite subr_ge0 hx.
rewrite mxE ler_norml opprB; have [hi hj] := (hx i isT, hx j isT); have [ki kj] := (hy i isT, hy j isT).
by rewrite !ler_sub.
Qed.

Lemma reward_kernel_sym n (r : 'cV[F]_n) R : (reward_kernel r R)^T = reward_kernel r R.
Proof. by apply/matrixP=> i j; rewrite !mxE distrC. Qed.

Lemma reward_kernel_diag n (r : 'cV[F]_n) R x : reward_kernel r R x x = 1.
Proof. by rewrite mxE subrr normr0 mul0r subr0. Qed.

Lemma absdiff_min (a b : F) : `|a - b| = a + b - 2%:R * Order.min a b.
Proof.
have [ab | ba] := leP a b; first by rewrite ler0_norm ?subr_le0 //; ring.
by rewrite gtr0_norm ?subr_gt0 //; ring.
Qed.

(* M/2 - |a - b| = 2 (min(a, b) - a b / M) + (2/M) (a - M/2) (b - M/2) *)
Lemma psd_half n (x : 'I_n -> F) M : 0 < M -> (forall i, 0 <= x i <= M) ->
  psd (\matrix_(i, j) (M / 2%:R - `|x i - x j|)).
Proof.
move=> M0 hx; pose u := \col_i x i; pose c : 'cV_n := \col_i (x i - M / 2%:R).
have -> : \matrix_(i, j) (M / 2%:R - `|x i - x j|)
    = (2%:R / M) *: (M *: minmx x - u *m u^T) + (2%:R / M) *: (c *m c^T).
  apply/matrixP=> i j; rewrite !mxE !big_ord1 !mxE absdiff_min.
  by set m := Order.min _ _; field; rewrite gt_eqF // pnatr_eq0.
have h : 0 <= 2%:R / M by rewrite divr_ge0 ?ler0n ?ltW.
apply: psdD; apply: psdZ => //; last exact: psd_gram.
by apply: psd_bridge => [i|i|]; [case/andP: (hx i)|case/andP: (hx i)|exact: ltW].
Qed.

Theorem psd_reward_kernel n (r : 'cV[F]_n) R : spread r <= 2%:R * R -> psd (reward_kernel r R).
Proof.
case: n r => [|n] r hR; first by move=> v; rewrite /form (thinmx0 v) !mul0mx mxE.
have R0 : 0 <= R.
  by have := le_trans (spread_ge0 r) hR; rewrite pmulr_rge0 ?ltr0n.
have one : psd (\matrix_(i < n.+1, j < n.+1) (1 : F)).
  have -> : \matrix_(i < n.+1, j < n.+1) (1 : F) = (const_mx 1 : 'cV_n.+1) *m (const_mx 1)^T.
    by apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE mulr1.
  exact: psd_gram.
have [x [y [e hx hy]]] := spread_attained r.
have [s0 | s0] := eqVneq (spread r) 0.
  suff -> : reward_kernel r R = \matrix_(i, j) 1 by [].
  apply/matrixP=> i j; rewrite !mxE; have := le_spread r i j; rewrite s0 normr_le0 => /eqP ->.
  by rewrite normr0 mul0r subr0.
have sp : 0 < spread r by rewrite lt_neqAle eq_sym s0 spread_ge0.
have Rp : 0 < R.
  by have := lt_le_trans sp hR; rewrite pmulr_rgt0 ?ltr0n.
have -> : reward_kernel r R = R^-1 *: (\matrix_(i, j) (spread r / 2%:R - `|(r i 0 - r x 0) - (r j 0 - r x 0)|)
    + (R - spread r / 2%:R) *: \matrix_(i, j) 1).
  apply/matrixP=> i j; rewrite !mxE; have -> : r i 0 - r x 0 - (r j 0 - r x 0) = r i 0 - r j 0 by ring.
  by set t := `|_|; field; rewrite gt_eqF // pnatr_eq0.
apply: psdZ; first by rewrite invr_ge0 ltW.
apply: psdD.
  by apply: psd_half => // i; rewrite subr_ge0 hx e ler_add2r hy.
apply: psdZ => //; by rewrite subr_ge0 ler_pdivr_mulr ?ltr0n // mulrC.
Qed.
End RewardKernel.
