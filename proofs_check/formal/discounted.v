(* Monotone discounted operators on matrices (Blackwell): comparison, uniqueness, contraction; and
   policy iteration, which finds their fixed points in any real field, without limits. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import supnorm.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Definition below (R : realFieldType) m n (u v : 'M[R]_(m, n)) := forall i j, u i j <= v i j.

(* T keeps the order, and adding a constant c >= 0 adds at most g c *)
Definition discounted (R : realFieldType) m n (g : R) (T : 'M[R]_(m, n) -> 'M[R]_(m, n)) :=
  (forall u v, below u v -> below (T u) (T v)) /\
  (forall u c, 0 <= c -> below (T (u + const_mx c)) (T u + const_mx (g * c))).

Lemma shiftE (R : realFieldType) m n (u : 'M[R]_(m, n)) c i j : (u + const_mx c) i j = u i j + c.
Proof. by rewrite !mxE. Qed.

(* finitely many numbers that are at most g c whenever they are at most c >= 0 *)
Lemma shrink (R : realFieldType) (g : R) (I : finType) (f : I -> R) : g < 1 ->
  (forall c, 0 <= c -> (forall i, f i <= c) -> forall i, f i <= g * c) -> forall i, f i <= 0.
Proof.
move=> g1 h i; have [k _ most] := @arg_maxP _ _ _ i xpredT f isT.
apply: le_trans (most i isT) _; rewrite leNgt; apply/negP=> c0.
have := h _ (ltW c0) (fun j => most j isT) k.
by rewrite -[X in X <= _]mul1r ler_pmul2r // leNgt g1.
Qed.

Section Discounted.
Variables (R : realFieldType) (m n : nat) (g : R) (T : 'M[R]_(m, n) -> 'M[R]_(m, n)).
Hypotheses (g1 : g < 1) (dT : discounted g T).

Lemma below_refl (u : 'M[R]_(m, n)) : below u u. Proof. by []. Qed.

Lemma below_trans (v u w : 'M[R]_(m, n)) : below u v -> below v w -> below u w.
Proof. by move=> uv vw i j; apply: le_trans (uv i j) (vw i j). Qed.

Lemma below_anti (u v : 'M[R]_(m, n)) : below u v -> below v u -> u = v.
Proof. by move=> uv vu; apply/matrixP=> i j; apply/eqP; rewrite eq_le uv vu. Qed.

(* T u <= u is above every v <= T v *)
Theorem comparison u v : below (T u) u -> below v (T v) -> below v u.
Proof.
move=> Tu Tv i j; rewrite -subr_le0.
apply: (@shrink _ _ _ (fun p : 'I_m * 'I_n => v p.1 p.2 - u p.1 p.2) g1 _ (i, j)) => c c0 h [k l] /=.
have vu : below v (u + const_mx c) by move=> a b; have := h (a, b); rewrite !mxE -ler_subl_addl.
rewrite ler_subl_addl; apply: le_trans (Tv k l) _; apply: le_trans (dT.1 _ _ vu k l) _.
by apply: le_trans (dT.2 u c c0 k l) _; have := Tu k l; rewrite !mxE ler_add2r.
Qed.

Theorem discounted_unique u v : T u = u -> T v = v -> u = v.
Proof. by move=> eu ev; apply: below_anti; apply: comparison; rewrite ?eu ?ev. Qed.

Theorem discounted_contraction u v : supnorm (T u - T v) <= g * supnorm (u - v).
Proof.
have half x y : below (T x) (T y + const_mx (g * supnorm (x - y))).
  apply: below_trans (dT.2 y _ (supnorm_ge0 _)); apply: dT.1 => i j.
  rewrite !mxE -ler_subl_addl; apply: le_trans (le_supnorm (x - y) i j).
  by rewrite !mxE ler_norm.
have sym : supnorm (v - u) = supnorm (u - v) by rewrite -supnormN opprB.
have e i j : `|(T u - T v) i j| <= g * supnorm (u - v).
  rewrite !mxE ler_norml; have := half u v i j; have := half v u i j.
  rewrite !mxE sym => h1 h2; rewrite ler_subl_addl h2 andbT.
  by rewrite ler_oppl opprB ler_subl_addl.
case: (supnorm_attained (T u - T v)) => [e0 | [i [j ->]]]; last exact: e.
have [e1 | [i [j _]]] := supnorm_attained (u - v); first by rewrite e0 e1 mulr0.
by rewrite e0; apply: le_trans (e i j).
Qed.
End Discounted.

(* b + L u with L linear: solved by inverting a matrix. *)
Section Affine.
Variables (R : realFieldType) (m n : nat) (g : R) (L : {linear 'M[R]_(m, n) -> 'M[R]_(m, n)}).
Hypotheses (g1 : g < 1) (dL : discounted g L).

Theorem affine_fixed (b : 'M[R]_(m, n)) : exists u, b + L u = u.
Proof.
pose A : 'M[R]_(m * n) := 1%:M - lin_mx L.
have uA : A \in unitmx.
  rewrite -row_free_unit; apply/inj_row_free => v.
  rewrite mulmxBr mulmx1 -[v]vec_mxK mul_vec_lin -linearB => e.
  have : vec_mx v - L (vec_mx v) = 0 by apply/eqP; rewrite -mxvec_eq0 e.
  move/eqP; rewrite subr_eq0 => /eqP/esym fv.
  by rewrite (discounted_unique g1 dL fv (linear0 L)) linear0.
exists (vec_mx (mxvec b *m invmx A)).
set w := mxvec b *m invmx A; have : w *m A = mxvec b by rewrite mulmxKV.
rewrite mulmxBr mulmx1 -{2}[w]vec_mxK mul_vec_lin => e.
by apply/(can_inj mxvecK); rewrite linearD /= -e vec_mxK subrK.
Qed.
End Affine.

(* The best of finitely many policies, each with its own operator S s and fixed point. *)
Section PolicyIteration.
Variables (R : realFieldType) (m n : nat) (g : R) (F : finType) (s0 : F).
Variables (S : F -> 'M[R]_(m, n) -> 'M[R]_(m, n)) (T : 'M[R]_(m, n) -> 'M[R]_(m, n)).
Hypotheses (g1 : g < 1) (dS : forall s, discounted g (S s)).
Hypothesis fixedS : forall s, exists v, S s v = v.

Let total (u : 'M[R]_(m, n)) := \sum_i \sum_j u i j.

Lemma total_below u v : below u v -> total u <= total v.
Proof. by move=> uv; apply: ler_sum => i _; apply: ler_sum => j _. Qed.

Lemma total_eq u v : below u v -> total v <= total u -> u = v.
Proof.
move=> uv vu; apply: below_anti => // i j.
have row k : 0 <= \sum_l (v k l - u k l) by apply: sumr_ge0 => l _; rewrite subr_ge0.
have : \sum_k \sum_l (v k l - u k l) <= 0.
  under eq_bigr do rewrite sumrB; by rewrite sumrB subr_le0.
rewrite (bigD1 i) //= (bigD1 j) //= -addrA => h; rewrite -subr_le0; apply: le_trans h.
by rewrite ler_addl addr_ge0 //; apply: sumr_ge0 => k _ //; rewrite subr_ge0.
Qed.

Theorem policy_iteration_min :
  (forall s u, below (T u) (S s u)) -> (forall u, exists s, S s u = T u) -> exists u, T u = u.
Proof.
move=> least greedy; have [v fv] := fin_all_exists fixedS.
have [s _ best] := @arg_minP _ _ _ s0 xpredT (fun s => total (v s)) isT.
have Tv : below (T (v s)) (v s) by rewrite -{2}(fv s).
have [s' es'] := greedy (v s); exists (v s); apply: total_eq => //.
have vv : below (v s') (v s) by apply: (comparison g1 (dS s')); rewrite ?fv ?es'.
apply: le_trans (best s' isT) _; apply: total_below.
by rewrite -es' -{1}(fv s'); apply: (dS s').1.
Qed.

Theorem policy_iteration_max :
  (forall s u, below (S s u) (T u)) -> (forall u, exists s, S s u = T u) -> exists u, T u = u.
Proof.
move=> most greedy; have [v fv] := fin_all_exists fixedS.
have [s _ best] := @arg_maxP _ _ _ s0 xpredT (fun s => total (v s)) isT.
have Tv : below (v s) (T (v s)) by rewrite -{1}(fv s).
have [s' es'] := greedy (v s); exists (v s); apply/esym/total_eq => //.
have vv : below (v s) (v s') by apply: (comparison g1 (dS s')); rewrite ?fv ?es'.
apply: le_trans (best s' isT); apply: total_below.
by rewrite -es' -{1}(fv s'); apply: (dS s').1.
Qed.
End PolicyIteration.
