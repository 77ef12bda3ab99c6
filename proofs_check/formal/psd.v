(* Positive semidefinite forms over any real field: the toolkit of every other file. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Psd.
Variable R : realFieldType.

(* u A v', for rows u and v *)
Definition form n (A : 'M[R]_n) (u v : 'rV[R]_n) : R := (u *m A *m v^T) 0 0.
(* the form of A is non-negative; A need not be symmetric *)
Definition psd n (A : 'M[R]_n) := forall v : 'rV[R]_n, 0 <= form A v v.
(* the form of A is positive off zero *)
Definition pd n (A : 'M[R]_n) := forall v : 'rV[R]_n, v != 0 -> 0 < form A v v.
(* the squared Euclidean length of a row *)
Definition sqnorm n (v : 'rV[R]_n) : R := form 1%:M v v.
(* the squared distance that a kernel puts between two of its points *)
Definition dist n (A : 'M[R]_n) (x y : 'I_n) : R := A x x + A y y - 2%:R * A x y.

Lemma formD n (A B : 'M[R]_n) u v : form (A + B) u v = form A u v + form B u v.
Proof. by rewrite /form mulmxDr mulmxDl mxE. Qed.

Lemma formN n (A : 'M[R]_n) u v : form (- A) u v = - form A u v.
Proof. by rewrite /form mulmxN mulNmx mxE. Qed.

Lemma formZ n c (A : 'M[R]_n) u v : form (c *: A) u v = c * form A u v.
Proof. by rewrite /form -scalemxAr -scalemxAl mxE. Qed.

Lemma form_conj m n (A : 'M[R]_n) (W : 'M[R]_(m, n)) u v :
  form (W *m A *m W^T) u v = form A (u *m W) (v *m W).
Proof. by rewrite /form trmx_mul !mulmxA. Qed.

(* the form of an outer product of a column is a product of scalars *)
Lemma form_outer n (q : 'cV[R]_n) u v :
  form (q *m q^T) u v = (u *m q) 0 0 * (v *m q) 0 0.
Proof.
rewrite /form mulmxA -mulmxA -trmx_mul mxE big_ord1.
by rewrite [X in _ * X]mxE.
Qed.

Lemma formDl n (A : 'M[R]_n) u v w : form A (u + v) w = form A u w + form A v w.
Proof. by rewrite /form !mulmxDl mxE. Qed.

Lemma formDr n (A : 'M[R]_n) u v w : form A w (u + v) = form A w u + form A w v.
Proof. by rewrite /form linearD mulmxDr mxE. Qed.

Lemma formZl n (A : 'M[R]_n) a u w : form A (a *: u) w = a * form A u w.
Proof. by rewrite /form -!scalemxAl mxE. Qed.

Lemma formZr n (A : 'M[R]_n) a u w : form A w (a *: u) = a * form A w u.
Proof. by rewrite /form linearZ -scalemxAr mxE. Qed.

Lemma form_sym n (A : 'M[R]_n) u v : A^T = A -> form A u v = form A v u.
Proof.
move=> sA; rewrite /form.
have -> : u *m A *m v^T = (v *m A *m u^T)^T by rewrite !trmx_mul trmxK sA mulmxA.
by rewrite mxE.
Qed.

Lemma form_delta n (A : 'M[R]_n) i j :
  form A (delta_mx 0 i) (delta_mx 0 j) = A i j.
Proof. by rewrite /form -rowE trmx_delta -colE !mxE. Qed.

Lemma psd0 n : psd (0 : 'M[R]_n).
Proof. by move=> v; rewrite /form mulmx0 mul0mx mxE. Qed.

Lemma psdD n (A B : 'M[R]_n) : psd A -> psd B -> psd (A + B).
Proof. by move=> hA hB v; rewrite formD addr_ge0. Qed.

Lemma psdZ n (A : 'M[R]_n) c : 0 <= c -> psd A -> psd (c *: A).
Proof. by move=> c0 hA v; rewrite formZ mulr_ge0. Qed.

Lemma psd_conj m n (A : 'M[R]_n) (W : 'M[R]_(m, n)) : psd A -> psd (W *m A *m W^T).
Proof. by move=> hA v; rewrite form_conj. Qed.

Lemma psd1 n : psd (1%:M : 'M[R]_n).
Proof.
move=> v; rewrite /form mulmx1 mxE sumr_ge0 // => i _.
by rewrite mxE -expr2 sqr_ge0.
Qed.

Lemma psd_gram n d (F : 'M[R]_(n, d)) : psd (F *m F^T).
Proof. by rewrite -[F in F *m _]mulmx1; apply/psd_conj/psd1. Qed.

Lemma psd_sum (I : Type) (s : seq I) (p : pred I) n (F : I -> 'M[R]_n) :
  (forall i, p i -> psd (F i)) -> psd (\sum_(i <- s | p i) F i).
Proof. by move=> h; apply: big_ind => //; [apply: psd0 | apply: psdD]. Qed.

Lemma form_sq n (A : 'M[R]_n) u v a b : A^T = A ->
  form A (a *: u + b *: v) (a *: u + b *: v)
    = a ^+ 2 * form A u u + 2%:R * a * b * form A u v + b ^+ 2 * form A v v.
Proof.
move=> sA; rewrite !(formDl, formDr, formZl, formZr) (form_sym v u sA).
by ring.
Qed.

Theorem cauchy_schwarz n (A : 'M[R]_n) u v : A^T = A -> psd A ->
  form A u v ^+ 2 <= form A u u * form A v v.
Proof.
move=> sA pA; have q a b := pA (a *: u + b *: v).
set uv := form A u v; set uu := form A u u; set vv := form A v v.
have uu0 : 0 <= uu := pA u.
have : 0 <= vv := pA v; rewrite le_eqVlt => /orP[/eqP vv0 | vvp].
  have := q uv (- (uu + 1)); rewrite (form_sq _ _ _ _ sA) -/uv -/uu -/vv -vv0.
  have -> : uv ^+ 2 * uu + 2%:R * uv * - (uu + 1) * uv + (- (uu + 1)) ^+ 2 * 0
            = - (uv ^+ 2 * (uu + 2%:R)) by ring.
  rewrite mulr0 oppr_ge0 pmulr_lle0 //.
  by apply: lt_le_trans (_ : 2%:R <= _); rewrite ?ltr0n // ler_addr.
have := q vv (- uv); rewrite (form_sq _ _ _ _ sA) -/uv -/uu -/vv.
have -> : vv ^+ 2 * uu + 2%:R * vv * - uv * uv + (- uv) ^+ 2 * vv
          = vv * (uu * vv - uv ^+ 2) by ring.
by rewrite pmulr_rge0 // subr_ge0.
Qed.


Lemma sqnormE n (v : 'rV[R]_n) : sqnorm v = \sum_i v 0 i ^+ 2.
Proof. by rewrite /sqnorm /form mulmx1 mxE; apply: eq_bigr => i _; rewrite mxE expr2. Qed.

Lemma sqnorm_ge0 n (v : 'rV[R]_n) : 0 <= sqnorm v.
Proof. exact: psd1. Qed.

Lemma sqnorm_eq0 n (v : 'rV[R]_n) : sqnorm v = 0 -> v = 0.
Proof.
rewrite sqnormE => S; apply/rowP=> i; rewrite mxE; apply/eqP; rewrite -sqrf_eq0; apply/eqP.
by apply: (psumr_eq0P _ S) => // j _; apply: sqr_ge0.
Qed.

Lemma sqnorm_gt0 n (v : 'rV[R]_n) : v != 0 -> 0 < sqnorm v.
Proof.
move=> v0; rewrite lt_neqAle sqnorm_ge0 andbT; apply: contra v0 => /eqP e.
exact/eqP/sqnorm_eq0.
Qed.

Lemma form_gram n d (F : 'M[R]_(n, d)) v : form (F *m F^T) v v = sqnorm (v *m F).
Proof. by rewrite /sqnorm -form_conj mulmx1. Qed.

(* a null vector of the form of a symmetric psd matrix is a null vector of the matrix *)
Lemma psd_null n (A : 'M[R]_n) v : A^T = A -> psd A -> form A v v = 0 -> v *m A = 0.
Proof.
move=> sA pA e; apply/rowP=> j; have := cauchy_schwarz v (delta_mx 0 j) sA pA.
rewrite e mul0r => h; have : form A v (delta_mx 0 j) ^+ 2 == 0 by rewrite eq_le h sqr_ge0.
by rewrite sqrf_eq0 /form trmx_delta -colE mxE => /eqP ->; rewrite mxE.
Qed.

Lemma distE n (A : 'M[R]_n) x y : A^T = A ->
  form A (delta_mx 0 x - delta_mx 0 y) (delta_mx 0 x - delta_mx 0 y) = dist A x y.
Proof.
move=> sA; have := form_sq (delta_mx 0 x) (delta_mx 0 y) 1 (-1) sA.
rewrite scale1r scaleN1r !form_delta /dist => ->.
by set a := A x x; set b := A y y; set e := A x y; ring.
Qed.

(* L L' <= g says the same as L' L <= g: no vector grows by more than the factor sqrt g, on either side *)
Theorem psd_transpose m n (L : 'M[R]_(m, n)) g : 0 <= g ->
  psd (g *: 1%:M - L *m L^T) -> psd (g *: 1%:M - L^T *m L).
Proof.
move=> g0 h v; have -> : L^T *m L = L^T *m (L^T)^T by rewrite trmxK.
rewrite formD formN formZ -/(sqnorm v) form_gram subr_ge0.
set w := v *m L^T.
have hw : sqnorm (w *m L) <= g * sqnorm w.
  by have := h w; rewrite formD formN formZ -/(sqnorm w) form_gram subr_ge0.
have e : form 1%:M v (w *m L) = sqnorm w.
  by rewrite /sqnorm /form !mulmx1 trmx_mul mulmxA.
have cs := cauchy_schwarz v (w *m L) (trmx1 _ _) (@psd1 n); move: cs; rewrite e -!/(sqnorm _) => cs.
have [-> | w0] := eqVneq (sqnorm w) 0; first by rewrite mulr_ge0 ?sqnorm_ge0.
have wp : 0 < sqnorm w by rewrite lt_neqAle eq_sym w0 sqnorm_ge0.
rewrite -(ler_pmul2r wp) -expr2; apply: le_trans cs _.
by rewrite (mulrC g) -mulrA ler_wpmul2l ?sqnorm_ge0.
Qed.

End Psd.
