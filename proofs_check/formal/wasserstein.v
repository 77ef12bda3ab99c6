(* The Wasserstein (Kantorovich) distance between laws on n points under a cost d: the least expected
   cost of a coupling. It is attained, in any real field; it is a pseudometric if d is one. (duality.v: it is also the
   greatest difference of expectations of a function whose differences are at most d.) *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import linear_program couplings.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* The couplings of mu and nu are the feasible points of a linear program. *)
Section Optimal.
Variables (R : realFieldType) (n : nat).
Implicit Types (mu nu : 'rV[R]_n) (w d : 'M[R]_n).

Let ones : 'cV[R]_n := const_mx 1.
Let marginals : 'M[R]_(n * n, n * 1 + 1 * n) := row_mx (lin_mx (mulmxr ones)) (lin_mx (mulmx ones^T)).
Let wanted mu nu : 'rV[R]_(n * 1 + 1 * n) := row_mx (mxvec mu^T) (mxvec nu).

Lemma row_sums w k : (w *m ones) k 0 = \sum_l w k l.
Proof. by rewrite mxE; apply: eq_bigr => l _; rewrite mxE mulr1. Qed.

Lemma col_sums w l : (ones^T *m w) 0 l = \sum_k w k l.
Proof. by rewrite mxE; apply: eq_bigr => k _; rewrite !mxE mul1r. Qed.

Lemma marginalsE w : mxvec w *m marginals = row_mx (mxvec (w *m ones)) (mxvec (ones^T *m w)).
Proof. by rewrite mul_mx_row !mul_vec_lin. Qed.

Lemma couplingP mu nu w : reflect (coupling mu nu w) (feasible marginals (wanted mu nu) (mxvec w)).
Proof.
apply: (iffP (feasibleP _ _ _)); rewrite marginalsE.
  case=> /eq_row_mx[/(can_inj mxvecK)/colP e /(can_inj mxvecK)/rowP f] w0; split=> [k l | k | l].
  - by have := w0 (mxvec_index k l); rewrite mxvecE.
  - by have := e k; rewrite row_sums mxE.
  - by have := f l; rewrite col_sums.
case=> w0 e f; split=> [|i]; last by case/mxvec_indexP: i => k l; rewrite mxvecE.
congr (row_mx (mxvec _) (mxvec _)); first by apply/colP=> k; rewrite row_sums mxE.
by apply/rowP=> l; rewrite col_sums.
Qed.

Lemma marginals_no_ray (z : 'rV[R]_(n * n)) : z *m marginals = 0 -> (forall i, 0 <= z 0 i) -> z = 0.
Proof.
rewrite -[z]vec_mxK marginalsE -[0 in RHS]row_mx0 => /eq_row_mx[+ _] z0.
rewrite -[RHS](linear0 (mxvec_linear _ _ _)) => /(can_inj mxvecK)/colP e; set w := vec_mx z.
have w0 k l : 0 <= w k l by have := z0 (mxvec_index k l); rewrite mxvecE.
suff -> : w = 0 by rewrite linear0.
apply/matrixP=> k l; rewrite [RHS]mxE.
have h : \sum_m w k m = 0 by rewrite -row_sums e mxE.
exact: (psumr_eq0P (fun m _ => w0 k m) h).
Qed.

Lemma cost_mxvec w d : (mxvec w *m (mxvec d)^T) 0 0 = cost w d.
Proof.
rewrite mxE (reindex _ (curry_mxvec_bij _ _)) /= /cost pair_big /=.
by apply: eq_bigr => -[k l] _ /=; rewrite mxE !mxvecE.
Qed.

(* finitely many couplings, among which is an optimal one for every d *)
Definition plan mu nu (J : {set 'I_(n * n)}) : 'M[R]_n :=
  let v := vertex marginals (wanted mu nu) J in
  if feasible marginals (wanted mu nu) v then vec_mx v else product mu nu.

Lemma coupling_plan mu nu J : law mu -> law nu -> coupling mu nu (plan mu nu J).
Proof.
move=> lmu lnu; rewrite /plan; case: ifP => h; last exact: coupling_product.
by apply/couplingP; rewrite vec_mxK.
Qed.

Lemma plan_below mu nu w d : coupling mu nu w -> exists J, cost (plan mu nu J) d <= cost w d.
Proof.
move/couplingP/(vertex_below marginals_no_ray (mxvec d)^T) => [J [fJ hJ]]; exists J.
by rewrite /plan fJ -!cost_mxvec vec_mxK.
Qed.

Definition best_plan d mu nu : 'M[R]_n :=
  plan mu nu [arg min_(J < set0) cost (plan mu nu J) d]%O.

(* the Wasserstein distance *)
Definition wasserstein d mu nu : R := cost (best_plan d mu nu) d.

Theorem best_plan_coupling d mu nu : law mu -> law nu -> coupling mu nu (best_plan d mu nu).
Proof. exact: coupling_plan. Qed.

Theorem wasserstein_le d mu nu w : coupling mu nu w -> wasserstein d mu nu <= cost w d.
Proof.
case/(plan_below d)=> J; apply: le_trans; rewrite /wasserstein /best_plan.
by case: arg_minP => // J0 _; apply.
Qed.

(* what the definition says: the least cost of a coupling *)
Theorem wassersteinP d mu nu : law mu -> law nu ->
  (exists2 w, coupling mu nu w & cost w d = wasserstein d mu nu) /\
  (forall w, coupling mu nu w -> wasserstein d mu nu <= cost w d).
Proof.
move=> lmu lnu; split; last exact: wasserstein_le.
by exists (best_plan d mu nu) => //; apply: best_plan_coupling.
Qed.

Lemma wasserstein_below d d' mu nu : law mu -> law nu -> (forall k l, d k l <= d' k l) ->
  wasserstein d mu nu <= wasserstein d' mu nu.
Proof.
move=> lmu lnu dd; have c := best_plan_coupling d' lmu lnu.
exact: le_trans (wasserstein_le d c) (cost_below c dd).
Qed.

Lemma wasserstein_shift d c mu nu : law mu -> law nu ->
  wasserstein (d + const_mx c) mu nu = wasserstein d mu nu + c.
Proof.
move=> lmu lnu; apply/eqP; rewrite eq_le; apply/andP; split.
  have cw := best_plan_coupling d lmu lnu; apply: le_trans (wasserstein_le _ cw) _.
  by rewrite costD (cost_const _ lmu cw).
have cw := best_plan_coupling (d + const_mx c) lmu lnu.
rewrite /wasserstein costD (cost_const _ lmu cw) ler_add2r.
exact: wasserstein_le cw.
Qed.
End Optimal.

(* zero on the diagonal, symmetric, triangle inequality (so non-negative); zero off the diagonal is allowed *)
Definition pseudometric (R : realFieldType) n (d : 'M[R]_n) :=
  [/\ forall x, d x x = 0, forall x y, d x y = d y x & forall x y z, d x z <= d x y + d y z].

Section Metric.
Variables (R : realFieldType) (n : nat).
Implicit Types (mu nu xi : 'rV[R]_n) (d : 'M[R]_n).

Lemma pseudometric_ge0 d x y : pseudometric d -> 0 <= d x y.
Proof.
case=> d0 ds dt; have := dt x y x; rewrite d0 (ds y x) -mulr2n.
by rewrite pmulrn_lge0.
Qed.

Theorem wasserstein_same d mu : law mu -> (forall x, d x x = 0) -> wasserstein d mu mu <= 0.
Proof.
move=> lmu d0; apply: le_trans (wasserstein_le d (coupling_same lmu)) _.
rewrite /cost big1 // => k _; rewrite big1 // => l _.
by rewrite mxE; case: eqP => [-> | _]; rewrite ?d0 ?mulr0 ?mulr0n ?mul0r.
Qed.

Theorem wasserstein_ge0 d mu nu : law mu -> law nu -> (forall x y, 0 <= d x y) -> 0 <= wasserstein d mu nu.
Proof.
move=> lmu lnu d0; have [w0 _ _] := best_plan_coupling d lmu lnu.
by apply: sumr_ge0 => k _; apply: sumr_ge0 => l _; rewrite mulr_ge0.
Qed.

Theorem wasserstein_sym d mu nu : law mu -> law nu -> wasserstein d^T mu nu = wasserstein d nu mu.
Proof.
have half d' mu' nu' : law mu' -> law nu' -> wasserstein d'^T mu' nu' <= wasserstein d' nu' mu'.
  move=> lmu lnu; have /coupling_sym c := best_plan_coupling d' lnu lmu.
  by apply: le_trans (wasserstein_le _ c) _; rewrite cost_sym.
move=> lmu lnu; apply/eqP; rewrite eq_le half //=.
by rewrite -{1}[d]trmxK half.
Qed.

Theorem wasserstein_triangle d mu nu xi c : law mu -> law nu -> law xi ->
  (forall x y z, d x z <= d x y + d y z + c) ->
  wasserstein d mu xi <= wasserstein d mu nu + wasserstein d nu xi + c.
Proof.
move=> lmu lnu lxi tri.
have c1 := best_plan_coupling d lmu lnu; have c2 := best_plan_coupling d lnu lxi.
apply: le_trans (wasserstein_le d (coupling_glued lnu c1 c2)) _.
exact: (cost_glued lnu c1 c2 lmu tri).
Qed.

(* weak duality: a function with differences below d has expectations that differ by at most the distance *)
Theorem wasserstein_dual d mu nu (f : 'cV[R]_n) c : law mu -> law nu ->
  (forall x y, f x 0 - f y 0 <= d x y + c) -> (mu *m f) 0 0 - (nu *m f) 0 0 <= wasserstein d mu nu + c.
Proof.
move=> lmu lnu fd; have cw := best_plan_coupling d lmu lnu; have [w0 e1 e2] := cw.
rewrite -[X in _ <= _ + X](cost_const c lmu cw) -costD [in X in X - _]mxE [in X in _ - X]mxE.
have -> : \sum_k mu 0 k * f k 0 = \sum_k \sum_l best_plan d mu nu k l * f k 0.
  by apply: eq_bigr => k _; rewrite -e1 mulr_suml.
have -> : \sum_l nu 0 l * f l 0 = \sum_k \sum_l best_plan d mu nu k l * f l 0.
  by rewrite exchange_big; apply: eq_bigr => l _; rewrite -e2 mulr_suml.
rewrite -sumrB; apply: ler_sum => k _; rewrite -sumrB; apply: ler_sum => l _.
by rewrite -mulrBr ler_wpmul2l // !mxE fd.
Qed.
End Metric.

(* never unfolded by unification *)
Global Opaque wasserstein best_plan plan.
