(* The features of some eigenpairs (l, u) of D^1/2 K D^1/2: Phi = K D^1/2 U' l^-1/2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import psd penrose lspe spectral compression.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* orthonormal eigenvectors, the rows of U, with positive eigenvalues *)
Definition eigenpairs (F : realFieldType) n d (A : 'M[F]_n) (U : 'M[F]_(d, n)) (l : 'rV[F]_d) :=
  [/\ U *m U^T = 1%:M, U *m A = diag_mx l *m U & forall i, 0 < l 0 i].
(* in decreasing order, and none is left out above the last: the top d *)
Definition top_eigenpairs (F : realFieldType) n d (A : 'M[F]_n) (U : 'M[F]_(d, n)) (l : 'rV[F]_d) :=
  [/\ eigenpairs A U l, forall i j : 'I_d, (i <= j)%N -> l 0 j <= l 0 i
    & forall v : 'rV[F]_n, v *m U^T = 0 -> forall i, form A v v <= l 0 i * sqnorm v].

Section Features.
Variables (F : rcfType) (n : nat) (D : 'rV[F]_n) (K : 'M[F]_n).

(* D^1/2 *)
Definition root_weights : 'M[F]_n := diag_mx (map_mx Num.sqrt D).
Definition weighted_kernel : 'M[F]_n := root_weights *m K *m root_weights.
(* l^-1/2 *)
Definition inverse_roots d (l : 'rV[F]_d) : 'M[F]_d := diag_mx (map_mx (fun x => (Num.sqrt x)^-1) l).
Definition truncated_features d (U : 'M[F]_(d, n)) (l : 'rV[F]_d) : 'M[F]_(n, d) :=
  K *m root_weights *m U^T *m inverse_roots l.

Hypotheses (D0 : weights D) (sK : K^T = K).

Lemma root_weightsE : root_weights *m root_weights = diag_mx D.
Proof.
rewrite mulmx_diag; congr diag_mx; apply/rowP=> i.
by rewrite !mxE -expr2 sqr_sqrtr.
Qed.

Lemma weighted_kernel_sym : weighted_kernel^T = weighted_kernel.
Proof. by rewrite /weighted_kernel !trmx_mul tr_diag_mx sK mulmxA. Qed.

Section Some.
Variables (d : nat) (U : 'M[F]_(d, n)) (l : 'rV[F]_d).
Hypothesis eig : eigenpairs weighted_kernel U l.
Let S := root_weights.
Let T := inverse_roots l.
(* the regression: from functions to coefficients *)
Definition truncated_fit : 'M[F]_(d, n) := T *m U *m S.
Let Phi := truncated_features U l.
Let W := truncated_fit.

Lemma truncated_featuresE : Phi = K *m W^T.
Proof. by rewrite /Phi /truncated_features /W /truncated_fit !trmx_mul !tr_diag_mx !mulmxA. Qed.

Lemma inverse_rootsE : T *m diag_mx l *m T = 1%:M.
Proof.
have [_ _ l0] := eig; rewrite !mulmx_diag -diag_const_mx; congr diag_mx; apply/rowP=> i.
rewrite !mxE mulrAC -invfM -expr2 sqr_sqrtr ?ltW // mulVf // gt_eqF //.
Qed.

Lemma diag_comm m (a b : 'rV[F]_m) : diag_mx a *m diag_mx b = diag_mx b *m diag_mx a.
Proof. by rewrite !mulmx_diag; congr diag_mx; apply/rowP=> i; rewrite !mxE mulrC. Qed.

(* U D^1/2 K = l U with the weights taken off on the right *)
Lemma fit_kernel : W *m K *m S = T *m diag_mx l *m U.
Proof. by have [_ e _] := eig; rewrite -[RHS]mulmxA -e /W /truncated_fit /weighted_kernel !mulmxA. Qed.

Lemma fit_orthonormal : W *m K *m W^T = 1%:M.
Proof.
have [uu _ _] := eig.
have -> : W^T = S *m U^T *m T by rewrite /W /truncated_fit !trmx_mul !tr_diag_mx mulmxA.
by rewrite !mulmxA fit_kernel -(mulmxA _ U) uu mulmx1 inverse_rootsE.
Qed.

Lemma truncated_covariance : covariance D Phi = diag_mx l.
Proof.
have [uu _ _] := eig.
have e : Phi^T *m S = T *m diag_mx l *m U.
  by rewrite -fit_kernel truncated_featuresE trmx_mul trmxK sK.
have -> : covariance D Phi = Phi^T *m S *m (Phi^T *m S)^T.
  by rewrite /covariance -root_weightsE [(_ *m S)^T]trmx_mul trmxK tr_diag_mx !mulmxA.
rewrite e !trmx_mul !tr_diag_mx !mulmxA -(mulmxA _ U) uu mulmx1.
by rewrite -[_ *m T]mulmxA (diag_comm l) mulmxA inverse_rootsE mul1mx.
Qed.

(* the regression under the data's weights is the projection in the RKHS *)
Lemma truncated_regression : regression D Phi = W.
Proof.
have [_ _ l0] := eig; rewrite /regression truncated_covariance.
have ul : diag_mx l \in unitmx.
  rewrite unitmxE det_diag unitfE; apply/prodf_neq0 => i _; exact: lt0r_neq0.
rewrite pinv_unit // -mulmxA; apply: (canLR (mulKmx ul)).
have e : Phi^T *m S = T *m diag_mx l *m U.
  by rewrite -fit_kernel truncated_featuresE trmx_mul trmxK sK.
by rewrite -root_weightsE mulmxA e /W /truncated_fit !mulmxA; congr (_ *m _ *m _); apply: diag_comm.
Qed.

Lemma truncated_lspe P g : lspe_matrix P g D Phi = g *: (W *m P *m (K *m W^T)).
Proof. by rewrite /lspe_matrix truncated_regression truncated_featuresE. Qed.
End Some.
End Features.

(* For every d up to the rank there are top d eigenpairs. *)
Section Existence.
Variables (F : rcfType) (n : nat) (A : 'M[F]_n).
Hypotheses (sA : A^T = A) (pA : psd A).

Lemma form_diag m (l : 'rV[F]_m) x : form (diag_mx l) x x = \sum_k l 0 k * x 0 k ^+ 2.
Proof. by rewrite /form mul_mx_diag mxE; apply: eq_bigr => k _; rewrite !mxE expr2 mulrCA mulrA. Qed.

Theorem top_eigenpairs_exist d : (d <= \rank A)%N ->
  exists (U : 'M[F]_(d, n)) (l : 'rV[F]_d), top_eigenpairs A U l.
Proof.
move=> dr; have [V [l [VV eA dec]]] := spectral_sorted sA; have VV' := mulmx1C VV.
have formA v : form A v v = \sum_k l 0 k * (v *m V^T) 0 k ^+ 2.
  by rewrite -form_diag -form_conj trmxK eA.
have rowV k : row k V *m V^T = delta_mx 0 k by rewrite -row_mul VV rowE mulmx1.
have l0 k : 0 <= l 0 k.
  have := pA (row k V); rewrite formA (bigD1 k) //= rowV mxE !eqxx expr1n mulr1 big1 ?addr0 // => j jk.
  by rewrite mxE eqxx (negbTE jk) expr0n mulr0.
have few i : (i <= n)%N -> (forall k : 'I_n, (i <= k)%N -> l 0 k = 0) -> (\rank A <= i)%N.
  move=> le_in z; pose w := widen_ord le_in.
  have -> : A = (rowsub w V)^T *m (diag_mx (colsub w l) *m rowsub w V).
    rewrite mulmxA eA; apply/matrixP=> a b; rewrite !mxE (bigID (fun k : 'I_n => k < i)%N) /= [X in _ + X]big1 => [|k].
      by rewrite addr0 (big_ord_narrow le_in) /=; apply: eq_bigr => k _; rewrite !mul_mx_diag !mxE.
    by rewrite -leqNgt => /z lk; rewrite mul_mx_diag !mxE lk mulr0 mul0r.
  by apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
have dn : (d <= n)%N by apply: leq_trans dr (rank_leq_row _).
pose h := widen_ord dn; exists (rowsub h V), (colsub h l).
have hinj (i j : 'I_d) : (h i == h j) = (i == j) by [].
split; first split.
- apply/matrixP=> i j; move/matrixP/(_ (h i) (h j)): (VV); rewrite !mxE hinj => <-.
  by apply: eq_bigr => k _; rewrite !mxE.
- have VA : V *m A = diag_mx l *m V by rewrite eA !mulmxA VV mul1mx.
  apply/matrixP=> i j; move/matrixP/(_ (h i) j): (VA); rewrite !mul_diag_mx !mxE => <-.
  by apply: eq_bigr => k _; rewrite !mxE.
- move=> i; rewrite mxE lt_neqAle l0 andbT eq_sym; apply/eqP=> li.
  have : (\rank A <= i)%N.
    apply: few => [|k ik]; first by rewrite ltnW // (leq_trans (ltn_ord i) dn).
    by apply/eqP; rewrite eq_le l0 andbT -li dec.
  by rewrite leqNgt => /negP; apply; apply: leq_trans dr.
- by move=> i j ij; rewrite !mxE dec.
move=> v vU i; rewrite mxE formA.
have -> : sqnorm v = sqnorm (v *m V^T) by rewrite -form_gram trmxK VV'.
rewrite sqnormE mulr_sumr; apply: ler_sum => k _.
have [kd | dk] := ltnP k d.
  have -> : (v *m V^T) 0 k = (v *m (rowsub h V)^T) 0 (Ordinal kd).
    by rewrite !mxE; apply: eq_bigr => j _; rewrite !mxE; congr (_ * V _ _); apply: val_inj.
  by rewrite vU mxE expr0n !mulr0.
by rewrite ler_wpmul2r ?sqr_ge0 // dec //= ltnW // (leq_trans (ltn_ord i)).
Qed.
End Existence.
