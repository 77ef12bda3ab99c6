(* Small chains: k pairs that go straight to two absorbing ones, or end. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain reward_kernel stein kernel mico arith reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section SmallChain.
Variables (F : realFieldType) (k : nat) (rho : 'rV[F]_k) (lo hi g : F) (f m : 'rV[F]_k).
Hypotheses (g0 : 0 <= g) (g1 : g < 1) (lohi : lo <= hi) (hrho : forall i, lo <= rho 0 i <= hi).
Hypothesis fm : forall i, 0 <= f 0 i <= m 0 i /\ m 0 i <= 1.
Let w := g / (1 - g).
Let h : 1 - g != 0.
Proof. by rewrite subr_eq0 gt_eqF. Qed.

(* into the pair of reward lo with probability f_i, into that of reward hi with m_i - f_i *)
Let E : 'M[F]_(k, 2) := \matrix_(i, c) (if c == 0 then f 0 i else m 0 i - f 0 i).
Definition small_P : 'M[F]_(k + 2) := block_mx 0 E 0 1%:M.
Definition small_r : 'cV[F]_(k + 2) := col_mx rho^T (\col_c (if c == 0 then lo else hi)).

Lemma small_sum i : \sum_j small_P i j = if split i is inl i' then m 0 i' else 1.
Proof.
rewrite big_split_ord /=; case: splitP => i' ei.
  have -> : i = lshift 2 i' by apply: val_inj.
  rewrite big1 => [|j _]; last by rewrite block_mxEul mxE.
  by rewrite add0r !big_ord_recl big_ord0 !block_mxEur !mxE /=; ring.
have -> : i = rshift k i' by apply: val_inj.
rewrite big1 => [|j _]; last by rewrite block_mxEdl mxE.
rewrite add0r (bigD1 i') //= block_mxEdr mxE eqxx big1 ?addr0 // => j /negbTE ne.
by rewrite block_mxEdr mxE eq_sym ne.
Qed.

Lemma small_substochastic : substochastic small_P.
Proof.
split=> [i j | i]; last by rewrite small_sum; case: split => // i'; case: (fm i').
rewrite /small_P; case: (split_ordP i) => i' ->; case: (split_ordP j) => j' ->.
- by rewrite block_mxEul mxE.
- rewrite block_mxEur mxE; have [/andP[? ?] _] := fm i'; case: ifP => // _.
  by rewrite subr_ge0.
- by rewrite block_mxEdl mxE.
- by rewrite block_mxEdr mxE ler0n.
Qed.

Lemma small_stochastic : m = const_mx 1 -> stochastic small_P.
Proof.
move=> m1; split; first exact: small_substochastic.1.
by move=> i; rewrite small_sum m1; case: split => // i'; rewrite mxE.
Qed.

Lemma small_range z : lo <= small_r z 0 <= hi.
Proof.
rewrite /small_r; case: (split_ordP z) => z' ->; first by rewrite col_mxEu mxE.
by rewrite col_mxEd mxE; case: ifP => _; rewrite lexx lohi.
Qed.

Lemma small_values (a : 'cV[F]_k) (b : 'cV[F]_2) :
  values small_P (col_mx a b) g = col_mx (a + w *: (E *m b)) ((1 - g)^-1 *: b).
Proof.
symmetry; apply: (values_unique small_substochastic g0 g1).
rewrite /bellman /small_P mul_block_col !mul0mx mul1mx !add0r -scalemxAr scale_col_mx add_col_mx.
rewrite !scalerA; congr col_mx; apply/colP=> i; rewrite mxE [RHS]mxE [X in _ = _ + X]mxE.
by move: (b i 0) => t; field.
Qed.

Lemma small_stein (A : 'M[F]_k) B C (D : 'M[F]_2) : stein_solution small_P g (block_mx A B C D)
  = block_mx (A + w *: (E *m D *m E^T)) (B + w *: (E *m D)) (C + w *: (D *m E^T)) ((1 - g)^-1 *: D).
Proof.
symmetry; apply: (stein_solution_unique small_substochastic g0 g1).
rewrite /stein_op /small_P tr_block_mx !trmx0 trmx1 !mulmx_block !(mul0mx, mulmx0, mul1mx, mulmx1, add0r, addr0).
rewrite scale_block_mx add_block_mx -!scalemxAr -!scalemxAl !scalerA.
congr block_mx; apply/matrixP=> i j; rewrite mxE [RHS]mxE [X in _ = _ + X]mxE.
by move: (D i j) => t; field.
Qed.

Let x (i : 'I_k) : 'I_(k + 2) := lshift 2 i.
Let one : 'M[F]_(k, 1) := const_mx 1.

Lemma small_point_values : pairs_values small_P small_r g x = point_values rho lo hi g f m.
Proof.
apply/rowP=> i; rewrite mxE small_values col_mxEu !mxE 2!big_ord_recl big_ord0 !mxE /= -/w.
by move: (rho 0 i) (f 0 i) (m 0 i) => a b c; ring.
Qed.

Lemma small_point_lives : pairs_lives small_P g x = point_lives g m.
Proof.
have e : const_mx 1 = col_mx (const_mx 1 : 'cV[F]_k) (const_mx 1 : 'cV[F]_2) by rewrite col_mx_const.
apply/rowP=> i; rewrite mxE e small_values col_mxEu !mxE 2!big_ord_recl big_ord0 !mxE /= -/w.
by move: (f 0 i) (m 0 i) => b c; ring.
Qed.

Lemma small_gap y z : reward_gap small_r y z = `|small_r y 0 - small_r z 0|.
Proof. by rewrite mxE. Qed.
Lemma small_r_pair i : small_r (lshift 2 i) 0 = rho 0 i.
Proof. by rewrite /small_r col_mxEu mxE. Qed.
Lemma small_r_absorbing c : small_r (rshift k c) 0 = if c == 0 then lo else hi.
Proof. by rewrite /small_r col_mxEd mxE. Qed.

(* (E D E')_ij for the two absorbing pairs *)
Lemma small_sandwich (D : 'M[F]_2) i j : (E *m D *m E^T) i j =
  f 0 i * f 0 j * D 0 0 + f 0 i * (m 0 j - f 0 j) * D 0 1
  + (m 0 i - f 0 i) * f 0 j * D 1 0 + (m 0 i - f 0 i) * (m 0 j - f 0 j) * D 1 1.
Proof.
have l1 : lift ord0 ord0 = 1 :> 'I_2 by apply: val_inj.
have EE c : (E *m D) i c = f 0 i * D 0 c + (m 0 i - f 0 i) * D 1 c.
  by rewrite mxE 2!big_ord_recl big_ord0 l1 ![E _ _]mxE /= addr0.
rewrite mxE 2!big_ord_recl big_ord0 l1 !EE ![E^T _ _]mxE ![E _ _]mxE /=.
by move: (f 0 i) (f 0 j) (m 0 i) (m 0 j) (D 0 0) (D 0 1) (D 1 0) (D 1 1) => *; ring.
Qed.

Lemma small_point_mico : pairs_mico small_P small_r g x = point_mico rho lo hi g f m.
Proof.
apply/matrixP=> i j; rewrite mxE /mico -[reward_gap small_r]submxK small_stein block_mxEul.
rewrite mxE [X in _ + X]mxE [RHS]mxE -/w small_sandwich; set D := drsubmx _.
have DE c d : D c d = `|small_r (rshift k c) 0 - small_r (rshift k d) 0|.
  by rewrite /D 2!mxE small_gap.
rewrite !DE !small_r_absorbing /= !subrr normr0 [`|lo - hi|]distrC [`|hi - lo|]ger0_norm ?subr_ge0 //.
have -> : ulsubmx (reward_gap small_r) i j = `|rho 0 i - rho 0 j|.
  by rewrite 2!mxE small_gap !small_r_pair.
by move: (f 0 i) (f 0 j) (m 0 i) (m 0 j) `|_| => a b c e t; ring.
Qed.

Lemma small_point_mass : pairs_mass small_P g x = point_mass g m.
Proof.
have e : const_mx 1 = block_mx (const_mx 1 : 'M[F]_k) (const_mx 1) (const_mx 1) (const_mx 1 : 'M[F]_2).
  by rewrite block_mx_const.
apply/matrixP=> i j; rewrite mxE e small_stein block_mxEul mxE [X in _ + X]mxE mxE [RHS]mxE -/w.
rewrite small_sandwich; congr (_ + _ * _); rewrite ![const_mx 1 _ _]mxE.
by move: (f 0 i) (f 0 j) (m 0 i) (m 0 j) => a b c d; ring.
Qed.
End SmallChain.
