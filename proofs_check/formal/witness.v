(* Exact witnesses: chains with rational entries, in any real field. The equations of values and of
   the kernel are checked by computation, and uniqueness says that the solutions are those meant. *)
From Coq Require Import ZArith QArith Qabs.
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import psd supnorm chain reward_kernel stein kernel rational.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.

(* tables of rationals: computing *)
Definition entry (s : seq (seq Q)) (i j : nat) : Q := nth (Qmake Z0 xH) (nth [::] s i) j.
Definition item (s : seq Q) (i : nat) : Q := nth (Qmake Z0 xH) s i.
Definition sumQ (n : nat) (f : nat -> Q) : Q := foldr (fun i a => Qred (Qplus (f i) a)) (Qmake Z0 xH) (iota 0 n).
Definition allQ (n : nat) (p : nat -> bool) : bool := all p (iota 0 n).

Definition stochasticQ n p := allQ n (fun i => allQ n (fun j => Qle_bool (Qmake Z0 xH) (entry p i j))
  && Qeq_bool (sumQ n (entry p i)) (Qmake (Zpos xH) xH)).
Definition discountQ g := Qle_bool (Qmake Z0 xH) g && ~~ Qle_bool (Qmake (Zpos xH) xH) g.
Definition valuesQ n p r g q := allQ n (fun i => Qeq_bool (item q i)
  (Qplus (item r i) (Qmult g (sumQ n (fun j => Qmult (entry p i j) (item q j)))))).
Definition gapQ r i j := Qabs (Qminus (item r i) (item r j)).
Definition sandwichQ n p k i j :=
  sumQ n (fun l => Qmult (sumQ n (fun m => Qmult (entry p i m) (entry k m l))) (entry p j l)).
Definition kernelQ n p r R g k := allQ n (fun i => allQ n (fun j => Qeq_bool (entry k i j)
  (Qplus (Qminus (Qmake (Zpos xH) xH) (Qdiv (gapQ r i j) R)) (Qmult g (sandwichQ n p k i j))))).
Definition spreadQ n r R := allQ n (fun i => allQ n (fun j => Qle_bool (gapQ r i j) R))
  && ~~ allQ n (fun i => allQ n (fun j => ~~ Qeq_bool (gapQ r i j) R)).
Definition in_unitQ n r := allQ n (fun x => Qle_bool (Qmake (-1) 1) (item r x) && Qle_bool (item r x) (Qmake 1 1)).
Definition paper_chainQ n p r g := [&& stochasticQ n p, discountQ g, in_unitQ n r & spreadQ n r (Qmake 2 1)].

Local Open Scope ring_scope.

(* The setting of the paper: no episode ends, gamma < 1, rewards in [-1, 1]. Rewards attain both ends,
   so that the divisor |r_max - r_min| is 2 however it is read (range of the rewards, or of [-1, 1]). *)
Definition paper_chain (F : realFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) :=
  [/\ stochastic P, 0 <= g < 1, forall x, -1 <= r x 0 <= 1 & spread r = 2%:R].

Section Witness.
Variable F : realFieldType.

Definition mxQ m n (s : seq (seq Q)) : 'M[F]_(m, n) := \matrix_(i, j) ofQ F (entry s i j).
Definition colQ n (s : seq Q) : 'cV[F]_n := \col_i ofQ F (item s i).
Definition rowQ n (s : seq Q) : 'rV[F]_n := \row_i ofQ F (item s i).

Lemma allQP n p : allQ n p -> forall i : 'I_n, p i.
Proof. by move=> /allP h i; apply: h; rewrite mem_iota ltn_ord. Qed.

Lemma sumQE n f : ofQ F (sumQ n f) = \sum_(i < n) ofQ F (f i).
Proof.
rewrite /sumQ -(big_mkord xpredT (fun i => ofQ F (f i))) /index_iota subn0.
elim: (iota 0 n) => [|i s IH] /=; first by rewrite big_nil ofQ0.
by rewrite big_cons -IH -ofQD; apply: ofQ_eq; apply: Qred_correct.
Qed.

Lemma stochasticQP n p : stochasticQ n p -> stochastic (mxQ n n p).
Proof.
move/allQP=> h; split=> [i j | i]; have /andP[h0 h1] := h i.
  by rewrite mxE -(ofQ0 F); apply/ofQ_leP/(allQP h0).
rewrite -(ofQ1 F) -(ofQ_eqP F h1) sumQE.
by apply: eq_bigr => j _; rewrite mxE.
Qed.

Lemma discountQP g : discountQ g -> 0 <= ofQ F g < 1.
Proof.
case/andP=> h0 h1; rewrite -(ofQ0 F) -(ofQ1 F).
by rewrite (ofQ_leP F h0) (ofQ_ltP F h1).
Qed.

Lemma valuesQP n p r g q : stochasticQ n p -> discountQ g -> valuesQ n p r g q ->
  values (mxQ n n p) (colQ n r) (ofQ F g) = colQ n q.
Proof.
move=> /stochasticQP/stochastic_sub sP /discountQP/andP[g0 g1] /allQP h.
symmetry; apply: (values_unique sP g0 g1); apply/colP=> i.
rewrite !mxE (ofQ_eqP F (h i)) ofQD ofQM sumQE; congr (_ + _ * _).
by apply: eq_bigr => j _; rewrite !mxE ofQM.
Qed.

Lemma sandwichQE n p k (i j : 'I_n) :
  (mxQ n n p *m mxQ n n k *m (mxQ n n p)^T) i j = ofQ F (sandwichQ n p k i j).
Proof.
rewrite mxE sumQE; apply: eq_bigr => l _; rewrite ofQM sumQE !mxE; congr (_ * _).
by apply: eq_bigr => m _; rewrite !mxE ofQM.
Qed.

Lemma gapQE n r (i j : 'I_n) : `|colQ n r i 0 - colQ n r j 0| = ofQ F (gapQ r i j).
Proof. by rewrite !mxE -ofQB -ofQ_abs. Qed.

Lemma kernelQP n p r R g k : stochasticQ n p -> discountQ g -> kernelQ n p r R g k ->
  krope_kernel (mxQ n n p) (colQ n r) (ofQ F R) (ofQ F g) = mxQ n n k.
Proof.
move=> /stochasticQP/stochastic_sub sP /discountQP/andP[g0 g1] /allQP h.
symmetry; apply: (krope_kernel_unique sP g0 g1); apply/matrixP=> i j.
rewrite [RHS]mxE [X in _ + X]mxE sandwichQE [reward_kernel _ _ _ _]mxE gapQE [LHS]mxE.
by rewrite (ofQ_eqP F (allQP (h i) j)) ofQD ofQB ofQM ofQ_div ofQ1.
Qed.

Lemma spreadQP n r R : spreadQ n r R -> spread (colQ n r) = ofQ F R.
Proof.
case/andP=> /allQP h /allPn[i]; rewrite mem_iota => /andP[_ hi] /allPn[j].
rewrite mem_iota => /andP[_ hj]; rewrite negbK => /(ofQ_eqP F) e.
apply/eqP; rewrite eq_le; apply/andP; split; last first.
  by rewrite -e -[i]/(nat_of_ord (Ordinal hi)) -[j]/(nat_of_ord (Ordinal hj)) -gapQE le_spread.
have R0 : 0 <= ofQ F R.
  by rewrite -e -[i]/(nat_of_ord (Ordinal hi)) -[j]/(nat_of_ord (Ordinal hj)) -gapQE.
apply: supnorm_le => // k l; rewrite mxE gapQE.
exact: ofQ_leP (allQP (h k) l).
Qed.

Lemma ofQ_nat k : ofQ F (Qmake (Z.of_nat k) 1) = k%:R.
Proof.
rewrite -[Qmake _ _]/(inject_Z (Z.of_nat k)) ofQZ; elim: k => [|k IH] //.
by rewrite Nat2Z.inj_succ -Z.add_1_r ofZD IH -addn1 natrD; congr (_ + _).
Qed.

Lemma in_unitQP n r : in_unitQ n r -> forall x, -1 <= colQ n r x 0 <= 1.
Proof.
move/allQP=> h x; have /andP[/(ofQ_leP F) h0 /(ofQ_leP F) h1] := h x.
by move: h0 h1; rewrite mxE -[Qmake (-1) 1]/(Qopp (Qmake 1 1)) ofQN ofQ1 => -> ->.
Qed.

Lemma paper_chainQP n p r g : paper_chainQ n p r g -> paper_chain (mxQ n n p) (colQ n r) (ofQ F g).
Proof.
case/and4P=> hP hg hr hs; split; [exact: stochasticQP | exact: discountQP | exact: in_unitQP |].
by rewrite (spreadQP hs) (ofQ_nat 2).
Qed.

(* a Bellman backup of a function given by a table *)
Definition bellmanQ n p r g f i :=
  Qplus (item r i) (Qmult g (sumQ n (fun j => Qmult (entry p i j) (item f j)))).
Lemma bellmanQE n p r g f (i : 'I_n) :
  bellman (mxQ n n p) (colQ n r) (ofQ F g) (colQ n f) i 0 = ofQ F (bellmanQ n p r g f i).
Proof.
rewrite /bellman mxE [X in _ + X]mxE mxE ofQD ofQM sumQE; congr (_ + _ * _).
by rewrite mxE; apply: eq_bigr => j _; rewrite !mxE ofQM.
Qed.

(* the distance of a kernel given by a table *)
Definition distQ (k : seq (seq Q)) i j :=
  Qminus (Qplus (entry k i i) (entry k j j)) (Qmult (Qmake 2 1) (entry k i j)).
Lemma distQE n k (i j : 'I_n) : dist (mxQ n n k) i j = ofQ F (distQ k i j).
Proof. by rewrite /dist !mxE -(ofQ_nat 2) -ofQM -ofQD -ofQB. Qed.

(* the distance of the kernel of a chain given by tables *)
Lemma krope_distQP n p r g k (i j : 'I_n) : paper_chainQ n p r g -> kernelQ n p r (Qmake 2 1) g k ->
  krope_dist (mxQ n n p) (colQ n r) (spread (colQ n r)) (ofQ F g) i j = ofQ F (distQ k i j).
Proof.
move=> /and4P[hP hg hr hs] hk.
by rewrite /krope_dist (spreadQP hs) (kernelQP hP hg hk) distQE.
Qed.
End Witness.
