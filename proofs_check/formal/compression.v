(* Features Phi = K W' with W K W' = I: LSPE on them is a compression of gamma P in the Hilbert space of K. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd penrose lspe.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Compression.
Variables (F : realFieldType) (n d : nat) (P K K1 : 'M[F]_n) (g : F) (W : 'M[F]_(d, n)).
Hypotheses (sK : K^T = K) (pK : psd K) (p1 : psd K1) (g0 : 0 <= g).
Hypothesis fixK : K = K1 + g *: (P *m K *m P^T).
Hypothesis WKW : W *m K *m W^T = 1%:M.
Let Phi := K *m W^T.
Let L := g *: (W *m P *m Phi).

(* what the truncation loses *)
Lemma truncation_loss : psd (K - Phi *m Phi^T).
Proof.
pose Q := 1%:M - K *m W^T *m W; have -> : K - Phi *m Phi^T = Q *m K *m Q^T; last exact: psd_conj.
have ePP : Phi *m Phi^T = K *m W^T *m W *m K by rewrite /Phi trmx_mul trmxK sK !mulmxA.
have e : K *m W^T *m W *m K *m W^T *m W *m K = K *m W^T *m W *m K.
  transitivity (K *m W^T *m (W *m K *m W^T) *m W *m K); first by rewrite !mulmxA.
  by rewrite WKW mulmx1.
rewrite ePP /Q linearB /= trmx1 !trmx_mul trmxK sK mulmxBl mul1mx mulmxBr mulmx1 mulmxBl !mulmxA e.
by rewrite subrr subr0.
Qed.

(* g I - L L' = g W K1 W' + g^2 W P (K - Phi Phi') P' W' *)
Lemma compression_gap :
  g *: 1%:M - L *m L^T
    = g *: (W *m K1 *m W^T) + g ^+ 2 *: (W *m P *m (K - Phi *m Phi^T) *m (W *m P)^T).
Proof.
have LL : L *m L^T = g ^+ 2 *: (W *m P *m (Phi *m Phi^T) *m (W *m P)^T).
  have t : L^T = g *: (Phi^T *m (W *m P)^T) by rewrite /L linearZ /= trmx_mul.
  by rewrite t /L -scalemxAl -scalemxAr scalerA expr2 !mulmxA.
have e : g *: 1%:M = g *: (W *m K1 *m W^T) + g ^+ 2 *: (W *m P *m K *m (W *m P)^T).
  rewrite -WKW {1}fixK mulmxDr mulmxDl scalerDr; congr (_ + _).
  by rewrite -scalemxAr -scalemxAl scalerA expr2 trmx_mul !mulmxA.
by rewrite LL e mulmxBr mulmxBl scalerBr addrA.
Qed.

Lemma compression_norm : psd (g *: 1%:M - L *m L^T).
Proof.
rewrite compression_gap; apply: psdD; apply: psdZ; rewrite ?exprn_ge0 //; first exact: psd_conj.
exact/psd_conj/truncation_loss.
Qed.
End Compression.

(* eigenpairs (lam, U) of S K S, S symmetric, and mu = lam^-1/2: W = mu U' S has W K W' = I, and it is the
   regression onto Phi = K S U mu in the inner product S S *)
Section Eigenpairs.
Variables (F : realFieldType) (n d : nat) (K S : 'M[F]_n) (U : 'M[F]_(n, d)) (lam mu : 'rV[F]_d).
Hypotheses (sK : K^T = K) (sS : S^T = S).
Hypothesis orthoU : U^T *m U = 1%:M.
Hypothesis eigenU : S *m K *m S *m U = U *m diag_mx lam.
Hypothesis muE : forall k, mu 0 k ^+ 2 * lam 0 k = 1.
Let Phi := K *m S *m U *m diag_mx mu.
Let W := diag_mx mu *m U^T *m S.

Lemma diag_cancel : diag_mx mu *m diag_mx lam *m diag_mx mu = 1%:M.
Proof.
apply/matrixP=> i j; rewrite mul_mx_diag mul_diag_mx !mxE; case: eqP => [-> | _]; last by rewrite mulr0 mul0r.
by rewrite mulr1n mulrAC -expr2 muE.
Qed.

Lemma eigenU_tr : U^T *m S *m K *m S = diag_mx lam *m U^T.
Proof. by have := congr1 trmx eigenU; rewrite !trmx_mul tr_diag_mx sK sS !mulmxA. Qed.

Lemma eigen_WKW : W *m K *m W^T = 1%:M.
Proof.
rewrite /W !trmx_mul trmxK tr_diag_mx sS -diag_cancel -!mulmxA; congr (_ *m _).
by rewrite !mulmxA eigenU_tr -(mulmxA (diag_mx lam)) orthoU mulmx1.
Qed.

Lemma eigen_features : Phi = K *m W^T.
Proof. by rewrite /Phi /W !trmx_mul trmxK tr_diag_mx sS !mulmxA. Qed.

Lemma eigen_gram : Phi^T *m (S *m S) *m Phi = diag_mx lam.
Proof.
have -> : Phi^T *m (S *m S) *m Phi = diag_mx mu *m (U^T *m S *m K *m S) *m (S *m K *m S *m U) *m diag_mx mu.
  by rewrite /Phi !trmx_mul tr_diag_mx sK sS !mulmxA.
rewrite eigenU_tr eigenU !mulmxA -(mulmxA _ U^T) orthoU mulmx1.
apply/matrixP=> i j; rewrite mul_mx_diag mul_mx_diag mul_diag_mx !mxE.
case: eqP => [-> | _]; last by rewrite mulr0n mulr0 !mul0r.
by rewrite mulr1n -[RHS]mul1r -(muE j); move: (mu 0 j) (lam 0 j) => a b; ring.
Qed.

Lemma eigen_unit : diag_mx lam \in unitmx.
Proof.
rewrite unitmxE det_diag unitfE; apply/prodf_neq0 => k _; apply/negP=> /eqP e.
by have /eqP := muE k; rewrite e mulr0 eq_sym oner_eq0.
Qed.

Lemma eigen_regression : pinv (Phi^T *m (S *m S) *m Phi) *m Phi^T *m (S *m S) = W.
Proof.
rewrite eigen_gram pinv_unit ?eigen_unit //.
have -> : invmx (diag_mx lam) *m Phi^T *m (S *m S) = invmx (diag_mx lam) *m (diag_mx mu *m (U^T *m S *m K *m S) *m S).
  by rewrite /Phi !trmx_mul tr_diag_mx sK sS !mulmxA.
rewrite eigenU_tr !mulmxA; have comm : diag_mx mu *m diag_mx lam = diag_mx lam *m diag_mx mu.
  apply/matrixP=> i j; rewrite mul_mx_diag [in RHS]mul_mx_diag !mxE.
  by case: eqP => [-> | _]; rewrite ?mulr0n ?mul0r // !mulr1n mulrC.
by rewrite -(mulmxA (invmx _)) comm mulmxA mulVmx ?eigen_unit // mul1mx.
Qed.
End Eigenpairs.
