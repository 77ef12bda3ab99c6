(* The top d eigenpairs of a positive semidefinite matrix exist for every d up to its rank, over a real closed field. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Krope Require Import psd spectral.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* orthonormal columns U with eigenvalues lam, of which mu is the root of the inverse *)
Definition eigenpairs (F : realFieldType) n d (A : 'M[F]_n) (U : 'M[F]_(n, d)) (lam mu : 'rV[F]_d) :=
  [/\ U^T *m U = 1%:M, A *m U = U *m diag_mx lam & forall k, mu 0 k ^+ 2 * lam 0 k = 1].
(* in decreasing order, and on what is orthogonal to them the form of A is smaller still *)
Definition top_eigenpairs (F : realFieldType) n d (A : 'M[F]_n) (U : 'M[F]_(n, d)) (lam mu : 'rV[F]_d) :=
  [/\ eigenpairs A U lam mu, forall j k : 'I_d, (j <= k)%N -> lam 0 k <= lam 0 j
    & forall v : 'rV[F]_n, v *m U = 0 -> forall k, form A v v <= lam 0 k * sqnorm v].

Lemma top_eigenpairs_exist (R : rcfType) n d (A : 'M[R]_n) : A^T = A -> psd A -> (d <= \rank A)%N ->
  exists (U : 'M[R]_(n, d)) (lam mu : 'rV[R]_d), top_eigenpairs A U lam mu.
Proof.
move=> sA pA hd; have [V [l [VV eA sorted]]] := spectral_sorted sA; have VV' := mulmx1C VV.
have dn : (d <= n)%N by apply: leq_trans hd (rank_leq_row A).
pose w := widen_ord dn; pose U : 'M[R]_(n, d) := \matrix_(i, k) V (w k) i.
pose lam : 'rV[R]_d := \row_k l 0 (w k); pose mu : 'rV[R]_d := \row_k (Num.sqrt (lam 0 k))^-1.
have formA v : form A v v = \sum_j l 0 j * (v *m V^T) 0 j ^+ 2.
  have -> : A = V^T *m diag_mx l *m (V^T)^T by rewrite trmxK.
  rewrite form_conj /form mul_mx_diag mxE; apply: eq_bigr => j _; rewrite mxE [(_^T) j 0]mxE expr2.
  by rewrite mulrAC mulrC.
have l0 j : 0 <= l 0 j.
  have := pA (row j V); rewrite formA (bigD1 j) //= big1 ?addr0 => [|i ne].
    by rewrite -row_mul VV row1 !mxE !eqxx expr1n mulr1.
  by rewrite -row_mul VV row1 !mxE eqxx /= (negbTE ne) expr0n mulr0.
have lp (k : 'I_d) : 0 < lam 0 k.
  rewrite mxE lt_neqAle l0 andbT eq_sym; apply/negP=> /eqP z.
  have zero (j : 'I_n) : (k <= j)%N -> l 0 j = 0.
    by move=> kj; apply/eqP; rewrite eq_le l0 andbT -z; apply: sorted.
  have : (\rank A <= k)%N; last by rewrite leqNgt (leq_trans (ltn_ord k) hd).
  have -> : A = V^T *m pid_mx k *m (diag_mx l *m V).
    rewrite eA -!mulmxA; congr (_ *m _); rewrite mulmxA; congr (_ *m _).
    apply/matrixP=> i j; rewrite mul_mx_diag !mxE; have [-> | ne] := eqVneq i j; last first.
      by rewrite val_eqE (negbTE ne) mulr0n mul0r.
    by rewrite eqxx mulr1n /=; case: (ltnP j k) => jk; rewrite ?mul1r // mul0r zero.
  apply: leq_trans (mxrankM_maxl _ _) _; apply: leq_trans (mxrankM_maxr _ _) _.
  have kn : (k <= n)%N by apply: ltnW (leq_trans (ltn_ord k) dn).
  by rewrite rank_pid_mx.
have Vrow (k : 'I_d) : row (w k) V *m A = lam 0 k *: row (w k) V.
  rewrite -row_mul eA !mulmxA VV mul1mx; apply/rowP=> j; rewrite [LHS]mxE mul_diag_mx !mxE //.
exists U, lam, mu; split; first split.
- apply/matrixP=> k k'; have := congr1 (fun B : 'M_n => B (w k) (w k')) VV; rewrite !mxE => e.
  apply: etrans (etrans e _); first by apply: eq_bigr => i _; rewrite !mxE.
  by rewrite -val_eqE /= val_eqE.
- apply: trmx_inj; rewrite !trmx_mul sA tr_diag_mx; apply/row_matrixP=> k; rewrite row_mul.
  have -> : row k U^T = row (w k) V by apply/rowP=> i; rewrite !mxE.
  by rewrite Vrow; apply/rowP=> j; rewrite [RHS]mxE mul_diag_mx !mxE.
- by move=> k; rewrite mxE exprVn sqr_sqrtr ?ltW // mulVf // gt_eqF.
- by move=> j k jk; rewrite !mxE; apply: sorted.
move=> v vU k; rewrite formA; have -> : sqnorm v = \sum_j (v *m V^T) 0 j ^+ 2.
  by rewrite -sqnormE /sqnorm -form_conj mulmx1 trmxK VV'.
rewrite mulr_sumr; apply: ler_sum => j _; have [jd | dj] := ltnP j d.
  have -> : (v *m V^T) 0 j = (v *m U) 0 (Ordinal jd).
    by rewrite !mxE; apply: eq_bigr => i _; rewrite !mxE; congr (_ * V _ _); apply: val_inj.
  by rewrite vU mxE expr0n !mulr0.
rewrite ler_wpmul2r ?sqr_ge0 // mxE; apply: sorted; exact: leq_trans (ltnW (ltn_ord k)) dj.
Qed.

(* the eigenvalues of a positive semidefinite matrix are non-negative *)
Lemma psd_eigenvalues (R : rcfType) n (A V : 'M[R]_n) (l : 'rV[R]_n) : V *m V^T = 1%:M ->
  A = V^T *m diag_mx l *m V -> psd A -> forall j, 0 <= l 0 j.
Proof.
move=> VV eA pA j; have := pA (row j V); rewrite {1}eA.
have -> : V^T *m diag_mx l *m V = V^T *m diag_mx l *m (V^T)^T by rewrite trmxK.
rewrite form_conj -row_mul VV row1 form_delta mxE eqxx mulr1n //.
Qed.

(* a positive semidefinite matrix has a positive semidefinite square root *)
Lemma psd_root (R : rcfType) n (A : 'M[R]_n) : A^T = A -> psd A ->
  exists S : 'M[R]_n, [/\ S^T = S, psd S & S *m S = A].
Proof.
move=> sA pA; have [V [l [VV eA]]] := spectral_theorem sA; have l0 := psd_eigenvalues VV eA pA.
pose s : 'rV[R]_n := \row_j Num.sqrt (l 0 j); exists (V^T *m diag_mx s *m V); split.
- by rewrite !trmx_mul trmxK tr_diag_mx mulmxA.
- have -> : V^T *m diag_mx s *m V = V^T *m diag_mx s *m (V^T)^T by rewrite trmxK.
  apply: psd_conj => v; rewrite /form mul_mx_diag mxE; apply: sumr_ge0 => i _.
  by rewrite !mxE mulrAC mulr_ge0 ?sqrtr_ge0 // -expr2 sqr_ge0.
rewrite !mulmxA -(mulmxA _ V) VV mulmx1 eA -!mulmxA; congr (_ *m _); rewrite mulmxA; congr (_ *m _).
apply/matrixP=> i j; rewrite mul_mx_diag !mxE; case: eqP => [-> | _]; last by rewrite mulr0n mul0r.
by rewrite !mulr1n -expr2 sqr_sqrtr.
Qed.
