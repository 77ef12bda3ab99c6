(* Truncated KROPE features under the data's own weights: stability for every d, and the error of LSPE on them. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain stein min_kernel penrose reward_kernel reward_range kernel lspe stability
  invariant rkhs compression spectral top_eigenpairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* s is the square root of the weights *)
Definition root_of (F : realFieldType) n (D s : 'rV[F]_n) := forall x, 0 <= s 0 x /\ s 0 x ^+ 2 = D 0 x.
(* D^1/2 K D^1/2, and the features K D^1/2 U Lam^-1/2 of its eigenpairs *)
Definition weighted_kernel (F : realFieldType) n (K : 'M[F]_n) (s : 'rV[F]_n) : 'M[F]_n :=
  diag_mx s *m K *m diag_mx s.
Definition truncated_features (F : realFieldType) n d (K : 'M[F]_n) (s : 'rV[F]_n) (U : 'M[F]_(n, d)) (mu : 'rV[F]_d) :
  'M[F]_(n, d) := K *m diag_mx s *m U *m diag_mx mu.

Section Entries.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1) (R0 : 0 <= R).
Let K := krope_kernel P r R g.

Lemma kernel_entry a b : K a b = reward_kernel r R a b + g * (P *m K *m P^T) a b.
Proof. by rewrite {1}/K krope_kernelP // /krope_op mxE; congr (_ + _); rewrite mxE. Qed.

Lemma push_le (k : 'M[F]_n) c : 0 <= c -> (forall i j, k i j <= c) -> forall i j, (P *m k *m P^T) i j <= c.
Proof.
move=> c0 h i j; have [P0 P1] := subP; rewrite mxE; apply: le_trans (_ : \sum_b c * P j b <= _).
  apply: ler_sum => b _; rewrite [P^T b j]mxE ler_wpmul2r // mxE; apply: le_trans (_ : \sum_a P i a * c <= _).
    by apply: ler_sum => a _; rewrite ler_wpmul2l.
  by rewrite -mulr_suml ler_pimull.
by rewrite -mulr_sumr ler_pimulr.
Qed.

Lemma kernel_le i j : K i j <= (1 - g)^-1.
Proof.
have q0 : 0 < 1 - g by rewrite subr_gt0.
case: (leP (K i j) 0) => [/le_trans -> // | kp]; first by rewrite invr_ge0 ltW.
have [[a b] _ hmax] := @arg_maxP _ _ _ (i, j) xpredT (fun ab => K ab.1 ab.2) isT; move: hmax => /= hmax.
apply: le_trans (hmax (i, j) isT) _; have Kp : 0 < K a b by apply: lt_le_trans kp (hmax (i, j) isT).
have push : (P *m K *m P^T) a b <= K a b by apply: push_le => [|x y]; [apply: ltW | apply: (hmax (x, y))].
have k1 : reward_kernel r R a b <= 1 by rewrite mxE ger_addl oppr_le0 divr_ge0.
have e : K a b <= 1 + g * K a b.
  by rewrite {1}kernel_entry ler_add // ler_wpmul2l.
rewrite -[X in _ <= X]mul1r ler_pdivl_mulr // mulrBr mulr1 ler_subl_addr.
by rewrite [K a b * g]mulrC.
Qed.

Lemma kernel_ge i j : spread r <= R -> reward_kernel r R i j <= K i j /\ 0 <= reward_kernel r R i j.
Proof.
move=> hR; have [P0 P1] := subP.
have k1 x y : 0 <= reward_kernel r R x y.
  rewrite mxE subr_ge0; have [-> | Rn] := eqVneq R 0; first by rewrite invr0 mulr0 ler01.
  have Rp : 0 < R by rewrite lt_neqAle eq_sym Rn.
  by rewrite ler_pdivr_mulr // mul1r (le_trans (le_spread _ _ _)).
have push0 (k : 'M[F]_n) : (forall x y, 0 <= k x y) -> forall x y, 0 <= (P *m k *m P^T) x y.
  move=> h x y; rewrite mxE sumr_ge0 // => b _; rewrite mulr_ge0 ?[P^T _ _]mxE // mxE sumr_ge0 // => a _.
  by rewrite mulr_ge0.
have K0 x y : 0 <= K x y.
  have [[a b] _ hmin] := @arg_minP _ _ _ (x, y) xpredT (fun ab => K ab.1 ab.2) isT; move: hmin => /= hmin.
  apply: le_trans (hmin (x, y) isT); rewrite leNgt; apply/negP=> neg.
  have push : K a b <= (P *m K *m P^T) a b.
    have := @push_le (- K) (- K a b) _ _ a b; rewrite mulmxN mulNmx mxE ler_opp2; apply.
      by rewrite oppr_ge0 ltW.
    by move=> u v; rewrite mxE ler_opp2; apply: (hmin (u, v)).
  have e : g * K a b <= K a b.
    by rewrite [X in _ <= X]kernel_entry; apply: ler_paddl => //; rewrite ler_wpmul2l.
  by move: e; rewrite -subr_ge0 -{1}[K a b]mul1r -mulrBl nmulr_lge0 // subr_le0 leNgt g1.
by split=> //; rewrite [K i j]kernel_entry ler_addl mulr_ge0 // push0.
Qed.
End Entries.

Section Setting.
Variables (F : archiFieldType) (n d : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D s : 'rV[F]_n).
Variables (U : 'M[F]_(n, d)) (lam mu : 'rV[F]_d).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1) (hR : spread r <= 2%:R * R).
Hypothesis sD : root_of D s.
Let K := krope_kernel P r R g.
Hypothesis pairs : eigenpairs (weighted_kernel K s) U lam mu.
Let Phi := truncated_features K s U mu.
Let W := diag_mx mu *m U^T *m diag_mx s.

Lemma root_mul : diag_mx s *m diag_mx s = diag_mx D.
Proof.
apply/matrixP=> i j; rewrite mul_mx_diag !mxE; case: eqP => [-> | _]; last by rewrite mulr0n mul0r.
by rewrite !mulr1n -expr2; case: (sD j).
Qed.

Let sK : K^T = K. Proof. exact: krope_kernel_sym. Qed.
Let ss : (diag_mx s)^T = diag_mx s. Proof. exact: tr_diag_mx. Qed.

Lemma trunc_WKW : W *m K *m W^T = 1%:M.
Proof. by case: pairs => oU eU mE; apply: (eigen_WKW sK ss oU eU mE). Qed.

Lemma trunc_features : Phi = K *m W^T.
Proof. exact: eigen_features. Qed.

Lemma trunc_regression : regression D Phi = W.
Proof.
case: pairs => oU eU mE; rewrite /regression /covariance -root_mul.
exact: (eigen_regression sK ss oU eU mE).
Qed.

Lemma trunc_lspe : lspe_matrix P g D Phi = g *: (W *m P *m (K *m W^T)).
Proof. by rewrite /lspe_matrix trunc_regression -trunc_features. Qed.

Let fixK : K = reward_kernel r R + g *: (P *m K *m P^T).
Proof. exact: krope_kernelP. Qed.
Let pK : psd K. Proof. exact: krope_kernel_psd. Qed.
Let p1 : psd (reward_kernel r R). Proof. exact: psd_reward_kernel. Qed.

Lemma trunc_norm : psd (g *: 1%:M - lspe_matrix P g D Phi *m (lspe_matrix P g D Phi)^T).
Proof. by rewrite trunc_lspe; apply: (compression_norm sK pK p1 g0 fixK trunc_WKW). Qed.

(* with the part of the reward kernel kept *)
Lemma trunc_norm_strict c : psd (W *m reward_kernel r R *m W^T - c *: 1%:M) ->
  psd ((g * (1 - c)) *: 1%:M - lspe_matrix P g D Phi *m (lspe_matrix P g D Phi)^T).
Proof.
move=> hc; set L := lspe_matrix P g D Phi.
have gap : g *: 1%:M - L *m L^T = g *: (W *m reward_kernel r R *m W^T)
    + g ^+ 2 *: (W *m P *m (K - (K *m W^T) *m (K *m W^T)^T) *m (W *m P)^T).
  by rewrite /L trunc_lspe; apply: (compression_gap fixK trunc_WKW).
have -> : (g * (1 - c)) *: 1%:M - L *m L^T
    = g *: (W *m reward_kernel r R *m W^T - c *: 1%:M)
      + g ^+ 2 *: (W *m P *m (K - (K *m W^T) *m (K *m W^T)^T) *m (W *m P)^T).
  rewrite scalerBr addrAC -gap mulrBr mulr1 scalerBl scalerA addrAC //.
apply: psdD; apply: psdZ; rewrite ?exprn_ge0 //.
exact/psd_conj/(truncation_loss sK pK trunc_WKW).
Qed.
End Setting.
