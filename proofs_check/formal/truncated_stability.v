(* truncation-stable: LSPE on data-weighted truncations of the KROPE kernel has norm2(L) <= sqrt(gamma), whatever the
   weights and whichever the eigenpairs; the top feature alone has |L| <= sqrt(gamma (1 + gamma) / 2). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain reward_kernel kernel lspe stability discounted kernel_bounds.
From Krope Require Import compression truncation.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Absolute.
Variables (F : realFieldType) (n : nat).
Implicit Types (A : 'M[F]_n) (u v : 'rV[F]_n).

Definition absolute u : 'rV[F]_n := map_mx Num.norm u.

Lemma form_sum A u : form A u u = \sum_i \sum_j A i j * (u 0 i * u 0 j).
Proof.
rewrite /form mxE exchange_big /=; apply: eq_bigr => j _.
by rewrite !mxE mulr_suml; apply: eq_bigr => i _; rewrite mulrAC [RHS]mulrC.
Qed.

Lemma absolute_gap u i j : 0 <= absolute u 0 i * absolute u 0 j - u 0 i * u 0 j.
Proof. by rewrite !mxE -normrM subr_ge0 ler_norm. Qed.

(* what the signs of u cost: a sum of non-negative terms if the entries of A are non-negative *)
Lemma absolute_form A u : form A (absolute u) (absolute u) - form A u u
  = \sum_i \sum_j A i j * (absolute u 0 i * absolute u 0 j - u 0 i * u 0 j).
Proof.
rewrite !form_sum -sumrB; apply: eq_bigr => i _; rewrite -sumrB; apply: eq_bigr => j _.
by rewrite mulrBr.
Qed.

Lemma absolute_le A u : below 0 A -> form A u u <= form A (absolute u) (absolute u).
Proof.
move=> A0; rewrite -subr_ge0 absolute_form; apply: sumr_ge0 => i _; apply: sumr_ge0 => j _.
by rewrite mulr_ge0 ?absolute_gap //; have := A0 i j; rewrite mxE.
Qed.

Lemma absolute_eq A B u : below 0 B -> below B A -> form A (absolute u) (absolute u) = form A u u ->
  form B (absolute u) (absolute u) = form B u u.
Proof.
move=> B0 BA e; apply/eqP; rewrite eq_le absolute_le // andbT -subr_le0 absolute_form.
rewrite -[X in _ <= X](subrr (form A u u)) -{1}e absolute_form.
by apply: ler_sum => i _; apply: ler_sum => j _; rewrite ler_wpmul2r // absolute_gap.
Qed.

Lemma absolute_sqnorm u : sqnorm (absolute u) = sqnorm u.
Proof. by rewrite !sqnormE; apply: eq_bigr => i _; rewrite mxE real_normK ?num_real. Qed.

Lemma absolute_diag u (s : 'rV[F]_n) : weights s -> absolute (u *m diag_mx s) = absolute u *m diag_mx s.
Proof.
by move=> s0; apply/rowP=> i; rewrite mxE !mul_mx_diag !mxE normrM (ger0_norm (s0 i)).
Qed.

(* the form of the matrix of ones *)
Lemma form_ones c u : form (const_mx c) u u = c * (\sum_i u 0 i) ^+ 2.
Proof.
rewrite form_sum expr2 mulr_suml mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr mulr_sumr.
by apply: eq_bigr => j _; rewrite mxE.
Qed.

(* of two laws, half the reward kernel is sure: E |r - r'| <= R / 2 *)
Lemma reward_kernel_half (r : 'cV[F]_n) R u : spread r <= R ->
  (\sum_i u 0 i) ^+ 2 / 2%:R <= form (reward_kernel r R) u u.
Proof.
move=> hR; have two : 2%:R != 0 :> F by rewrite pnatr_eq0.
have e : reward_kernel r R = 2%:R^-1 *: reward_kernel r (R / 2%:R) + const_mx 2%:R^-1.
  apply/matrixP=> x y; rewrite !mxE; have [-> | R0] := eqVneq R 0; last by field; rewrite R0.
  by rewrite mul0r invr0 !mulr0 subr0 mulr1 -mulr2n -mulr_natr mulVf.
rewrite e formD formZ form_ones mulrC ler_addr mulr_ge0 ?invr_ge0 ?ler0n //.
by apply: psd_reward_kernel; rewrite mulrCA mulfV ?mulr1.
Qed.
End Absolute.

Section OneFeature.
Variables (F : rcfType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D : 'rV[F]_n).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1) (hR : spread r <= R) (D0 : weights D).
Let K := krope_kernel P r R g.
Let K1 := reward_kernel r R.
Let A := weighted_kernel D K.
Hypothesis pK : psd K.
Variables (U : 'rV[F]_n) (l : 'rV[F]_1).
Hypothesis top : top_eigenpairs A U l.

Lemma top_value v : form A v v <= l 0 0 * sqnorm v.
Proof.
have [[uu uA _] _ rest] := top; pose a := (v *m U^T) 0 0; pose w := v - a *: U.
have Al : U *m A = l 0 0 *: U by rewrite uA; apply/rowP=> j; rewrite mul_diag_mx !mxE.
have wU : w *m U^T = 0 by rewrite mulmxBl -scalemxAl uu [v *m U^T]mx11_scalar scalemx1 subrr.
have Uw : U *m w^T = 0 by rewrite -[U]trmxK -trmx_mul wU trmx0.
have sA : A^T = A by apply/weighted_kernel_sym/krope_kernel_sym.
have ev : v = a *: U + 1 *: w by rewrite scale1r addrC subrK.
have fUU : form A U U = l 0 0 by rewrite /form Al -scalemxAl uu scalemx1 mxE eqxx mulr1n.
have fUw : form A U w = 0 by rewrite /form Al -scalemxAl Uw scaler0 mxE.
have nUU : form 1%:M U U = 1 by rewrite /form mulmx1 uu mxE eqxx.
have nUw : form 1%:M U w = 0 by rewrite /form mulmx1 Uw mxE.
rewrite ev /sqnorm !form_sq ?trmx1 // fUU fUw nUU nUw !mulr0 !addr0 expr1n !mul1r mulr1 mulrDr.
by rewrite [l 0 0 * _]mulrC ler_add2l; apply: rest.
Qed.

Let S := root_weights D.
Let w := U *m S.

Lemma top_weighted (B : 'M[F]_n) (u : 'rV[F]_n) : form B (u *m S) (u *m S) = form (S *m B *m S) u u.
Proof. by rewrite -form_conj tr_diag_mx. Qed.

(* the share of the first step in the kernel, seen by the top eigenvector *)
Lemma top_share : (1 - g) / 2%:R * l 0 0 <= form K1 w w.
Proof.
have [[uu uA l0] _ _] := top; have R0 : 0 <= R by apply: le_trans (spread_ge0 r) hR.
have S0 : weights (map_mx Num.sqrt D) by move=> i; rewrite mxE sqrtr_ge0.
have K0 := krope_kernel_ge0 subP g0 g1 R0 hR.
have Aw : form K w w = l 0 0.
  have -> : form K w w = form A U U by rewrite top_weighted.
  have -> : form A U U = (diag_mx l *m (U *m U^T)) 0 0 by rewrite /form uA mulmxA.
  by rewrite uu mulmx1 mxE eqxx.
have same : form K (absolute w) (absolute w) = form K w w.
  apply/eqP; rewrite eq_le absolute_le // andbT Aw /w absolute_diag // top_weighted.
  apply: le_trans (top_value _) _; rewrite absolute_sqnorm.
  by rewrite /sqnorm /form mulmx1 uu mxE eqxx mulr1.
have same1 : form K1 (absolute w) (absolute w) = form K1 w w.
  by apply: absolute_eq same; [apply: reward_kernel_ge0 | apply: krope_kernel_above].
have q0 : 0 < 1 - g by rewrite subr_gt0.
have up : form K w w <= (1 - g)^-1 * (\sum_i absolute w 0 i) ^+ 2.
  rewrite -same -form_ones !form_sum; apply: ler_sum => i _; apply: ler_sum => j _.
  by rewrite ler_wpmul2r ?krope_kernel_le // mulr_ge0 // mxE.
rewrite -same1; apply: le_trans (reward_kernel_half _ hR); rewrite mulrAC ler_wpmul2r ?invr_ge0 ?ler0n //.
by rewrite -ler_pdivl_mull // -Aw.
Qed.

Theorem one_feature : (lspe_matrix P g D (truncated_features D K U l)) 0 0 ^+ 2 <= g * (1 + g) / 2%:R.
Proof.
have [eig _ _] := top; have [uu uA l0] := eig.
have sK : K^T = K by apply: krope_kernel_sym.
have fixK : K = K1 + g *: (P *m K *m P^T) by apply: krope_kernelP.
set W := truncated_fit D U l; have WKW : W *m K *m W^T = 1%:M by apply: fit_orthonormal.
rewrite (truncated_lspe D0 sK eig); set L := g *: _.
have := congr1 (fun M : 'M[F]_1 => M 0 0) (compression_gap fixK WKW); rewrite -/W -/L.
have D2 (X Y : 'M[F]_1) : (X + Y) 0 0 = X 0 0 + Y 0 0 by rewrite mxE.
have Z2 c (X : 'M[F]_1) : (c *: X) 0 0 = c * X 0 0 by rewrite mxE.
have N2 (X : 'M[F]_1) : (- X) 0 0 = - X 0 0 by rewrite mxE.
have LL (X : 'M[F]_1) : (X *m X^T) 0 0 = X 0 0 ^+ 2 by rewrite mxE big_ord1 mxE expr2.
rewrite !D2 N2 LL !Z2 -/(form K1 W W) -/(form _ (W *m P) (W *m P)).
have -> : (1%:M : 'M[F]_1) 0 0 = 1 by rewrite mxE.
have lost := lost_psd sK WKW pK (W *m P); rewrite mulr1 => e.
have share : (1 - g) / 2%:R <= form K1 W W.
  have -> : W = (Num.sqrt (l 0 0))^-1 *: w.
    by apply/rowP=> j; rewrite /W /truncated_fit -mulmxA mul_diag_mx !mxE.
  rewrite formZl formZr mulrA -invfM -expr2 (sqr_sqrtr (ltW (l0 0))) ler_pdivl_mull // mulrC.
  exact: top_share.
have -> : g * (1 + g) / 2%:R = g - g * ((1 - g) / 2%:R) by field.
rewrite ler_subr_addl -ler_subr_addr e -[X in X <= _]addr0; apply: ler_add; first by rewrite ler_wpmul2l.
by rewrite mulr_ge0 ?exprn_ge0.
Qed.
End OneFeature.

(* Top d eigenpairs (l, u) of D^1/2 K D^1/2 exist for every d up to its rank. For these and for any other eigenpairs
   LSPE on the features K D^1/2 U' l^-1/2 has norm2(L)^2 <= gamma; on the top one alone L^2 <= gamma (1 + gamma)/2. *)
Theorem truncation_stable (F : rcfType) n (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D : 'rV[F]_n) :
  Num.archimedean_axiom F -> substochastic P -> 0 <= g < 1 -> spread r <= 2%:R * R -> weights D ->
  let K := krope_kernel P r R g in let A := weighted_kernel D K in
  let L d (U : 'M[F]_(d, n)) l := lspe_matrix P g D (truncated_features D K U l) in
  [/\ forall d, (d <= \rank A)%N -> exists (U : 'M[F]_(d, n)) l, top_eigenpairs A U l,
      forall d (U : 'M[F]_(d, n)) l, eigenpairs A U l -> forall v, colnorm (L d U l *m v) <= g * colnorm v,
      forall d (U : 'M[F]_(d, n)) l, eigenpairs A U l -> radius_lt (L d U l) 1
    & spread r <= R -> forall (U : 'rV[F]_n) l, top_eigenpairs A U l -> (L 1%N U l) 0 0 ^+ 2 <= g * (1 + g) / 2%:R].
Proof.
move=> archi sP /andP[g0 g1] hR D0 K A L; pose Fa := ArchiFieldType F archi.
have sK : K^T = K by apply: krope_kernel_sym.
have pK : psd K by apply: (@krope_kernel_psd Fa).
have nL d (U : 'M[F]_(d, n)) l : eigenpairs A U l -> psd (g *: 1%:M - L d U l *m (L d U l)^T).
  move=> eig; rewrite /L (truncated_lspe D0 sK eig); apply: compression_norm (psd_reward_kernel hR) => //.
    exact: krope_kernelP.
  exact: fit_orthonormal.
split.
- move=> d; apply: top_eigenpairs_exist; first exact: weighted_kernel_sym.
  by move=> v; rewrite -top_weighted.
- by move=> d U l /nL h v; apply: (@colnorm_mul Fa).
- move=> d U l /nL h a b /(eigenvalue_bound h) le; rewrite expr1n; exact: le_lt_trans g1.
- by move=> hR1 U l top; apply: one_feature.
Qed.
