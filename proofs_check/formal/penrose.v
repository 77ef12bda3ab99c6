(* Moore-Penrose inverses by their four equations: existence and uniqueness over any real field. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Pinv.
Variable R : realFieldType.

Definition is_pinv m n (A : 'M[R]_(m, n)) (X : 'M[R]_(n, m)) :=
  [/\ A *m X *m A = A, X *m A *m X = X, (A *m X)^T = A *m X & (X *m A)^T = X *m A].

Theorem pinv_unique m n (A : 'M[R]_(m, n)) X Y : is_pinv A X -> is_pinv A Y -> X = Y.
Proof.
case=> x1 x2 x3 x4 [y1 y2 y3 y4].
have e1 : A *m X = A *m Y.
  by rewrite -{1}y1 -!mulmxA mulmxA -y3 -x3 -trmx_mul mulmxA x1 y3.
have e2 : X *m A = Y *m A.
  by rewrite -{1}y1 mulmxA mulmxA -(mulmxA _ Y) -x4 -y4 -trmx_mul -mulmxA (mulmxA A) x1 y4.
by rewrite -x2 e2 -mulmxA e1 mulmxA y2.
Qed.

Lemma gram_unit m n (F : 'M[R]_(m, n)) : row_free F -> F *m F^T \in unitmx.
Proof.
move=> fF; rewrite -row_free_unit; apply/inj_row_free => v hv.
have z : v *m F = 0.
  have S : \sum_j (v *m F) 0 j ^+ 2 = 0.
    apply: etrans (_ : (v *m (F *m F^T) *m v^T) 0 0 = 0); last by rewrite hv mul0mx mxE.
    rewrite mulmxA -mulmxA -trmx_mul [RHS]mxE.
    by apply: eq_bigr => j _; rewrite [(_^T) _ _]mxE expr2.
  apply/rowP=> j; rewrite [RHS]mxE; apply/eqP; rewrite -sqrf_eq0; apply/eqP.
  by apply: (psumr_eq0P _ S) => // k _; apply: sqr_ge0.
by apply: (row_free_inj fF); rewrite mul0mx.
Qed.

(* the inverse of a product of full-rank factors *)
Definition factor_pinv m n k (C : 'M[R]_(m, k)) (B : 'M[R]_(k, n)) : 'M[R]_(n, m) :=
  B^T *m invmx (B *m B^T) *m (invmx (C^T *m C) *m C^T).

Lemma factor_pinvP m n k (C : 'M[R]_(m, k)) (B : 'M[R]_(k, n)) :
  row_free C^T -> row_free B -> is_pinv (C *m B) (factor_pinv C B).
Proof.
move=> fC fB; have uB := gram_unit fB; have := gram_unit fC; rewrite trmxK => uC.
set X := factor_pinv C B.
have AX : C *m B *m X = C *m invmx (C^T *m C) *m C^T.
  by rewrite /X /factor_pinv !mulmxA -(mulmxA C B) -(mulmxA C) mulmxV // mulmx1.
have XA : X *m (C *m B) = B^T *m invmx (B *m B^T) *m B.
  by rewrite /X /factor_pinv !mulmxA -(mulmxA _ C^T) -(mulmxA _ (invmx (C^T *m C))) mulVmx // mulmx1.
split.
- by rewrite AX !mulmxA -(mulmxA _ C^T) -(mulmxA C) mulVmx // mulmx1.
- by rewrite XA /X /factor_pinv !mulmxA -(mulmxA _ B) -(mulmxA B^T) mulVmx // mulmx1.
- by rewrite AX !trmx_mul trmxK trmx_inv trmx_mul trmxK mulmxA.
- by rewrite XA !trmx_mul trmxK trmx_inv trmx_mul trmxK mulmxA.
Qed.

(* locked, so that no rewriting looks inside *)
Fact pinv_key : unit. Proof. by []. Qed.
Definition pinv m n (A : 'M[R]_(m, n)) : 'M[R]_(n, m) :=
  locked_with pinv_key (factor_pinv (col_base A) (row_base A)).

Theorem pinvP m n (A : 'M[R]_(m, n)) : is_pinv A (pinv A).
Proof.
rewrite /pinv unlock -{1}(mulmx_base A); apply: factor_pinvP; last exact: row_base_free.
by rewrite /row_free mxrank_tr; apply: col_base_full.
Qed.

Lemma pinv_eq m n (A : 'M[R]_(m, n)) X : is_pinv A X -> pinv A = X.
Proof. exact/pinv_unique/pinvP. Qed.

Lemma pinv_tr m n (A : 'M[R]_(m, n)) : (pinv A)^T = pinv A^T.
Proof.
symmetry; apply: pinv_eq; have [e1 e2 e3 e4] := pinvP A.
split.
- by rewrite -!trmx_mul mulmxA e1.
- by rewrite -!trmx_mul mulmxA e2.
- by rewrite -trmx_mul e4.
- by rewrite -trmx_mul e3.
Qed.

Lemma pinv_unit n (A : 'M[R]_n) : A \in unitmx -> pinv A = invmx A.
Proof.
by move=> uA; apply: pinv_eq; split; rewrite ?mulmxV ?mulVmx ?mul1mx ?trmx1.
Qed.
End Pinv.
