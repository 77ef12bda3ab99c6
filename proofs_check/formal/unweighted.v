(* Truncating the unweighted kernel and then weighting LSPE by the data can diverge. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain penrose reward_kernel kernel lspe full_rank rational arith witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* Phi = U_d S_d^(1/2) for the d greatest eigenvalues of K, in lam: orthogonal eigenvectors with the
   eigenvalues as squared lengths, and no greater eigenvalue in what they leave of K *)
Definition top_features (F : realFieldType) n d (K : 'M[F]_n) (Phi : 'M[F]_(n, d)) (lam : 'rV[F]_d) :=
  [/\ K *m Phi = Phi *m diag_mx lam, Phi^T *m Phi = diag_mx lam, psd (K - Phi *m Phi^T)
    & forall i, psd (lam 0 i *: 1%:M - (K - Phi *m Phi^T))].

(* The top features of the unweighted kernel are stable under any data distribution. *)
Definition truncation_unweighted_stable_claim (F : realFieldType) :=
  forall n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)) (lam : 'rV[F]_d),
  paper_chain P r g -> weights D -> \sum_x D 0 x = 1 ->
  top_features (krope_kernel P r (spread r) g) Phi lam ->
  radius_lt (lspe_matrix P g D Phi) 1 \/ lspe_stable P r g D Phi.

Section Tables.
Local Open Scope Q_scope.
(* pairs 0 and 1 lead to 2, and 2 to 1 *)
Definition swap_P : seq (seq Q) := [:: [:: 0; 0; 1]; [:: 0; 0; 1]; [:: 0; 1; 0]].
Definition swap_r : seq Q := [:: 0; -1; 1].
Definition swap_g : Q := 47#79.
Definition swap_D : seq Q := [:: 0; 0; 1].
Definition swap_K : seq (seq Q) := [:: [:: 79#32; 63#32; 1#2]; [:: 63#32; 79#32; 0]; [:: 1#2; 0; 79#32]].
Definition swap_phi : seq Q := [:: 3#2; 189#130; 24#65].
Definition swap_lam : Q := 9#2.
(* sums of squares c_k v_k v_k' *)
Definition left_squares := [:: (7#32, [:: 1; -63#65; -16#65]); (632#4225, [:: 0; 1; -63#16])].
Definition top_squares := [:: (137#32, [:: 1; 441#8905; 112#8905]); (36817#8905, [:: 0; 1; 9513#73634]);
  (2471625#1178144, [:: 0; 0; 1])].
Definition squaresQ (s : seq (Q * seq Q)) i j :=
  foldr (fun t a => t.1 * (item t.2 i * item t.2 j) + a) 0 s.
Definition psdQ n (a : nat -> nat -> Q) s := all (fun t => Qle_bool 0 t.1) s &&
  allQ n (fun i => allQ n (fun j => Qeq_bool (a i j) (squaresQ s i j))).
Definition leftQ i j := entry swap_K i j - item swap_phi i * item swap_phi j.
Definition topQ i j := swap_lam * (if (i == j)%B then 1 else 0) - leftQ i j.
End Tables.

Section Swap.
Variable F : realFieldType.
Let phi := colQ F 3 swap_phi.
Let K := mxQ F 3 3 swap_K.

Lemma psdQP n a s : psdQ n a s -> psd (\matrix_(i < n, j < n) ofQ F (a i j)).
Proof.
case/andP=> s0 /allQP h.
have -> : \matrix_(i < n, j < n) ofQ F (a i j)
    = \sum_(t <- s) ofQ F t.1 *: (colQ F n t.2 *m (colQ F n t.2)^T).
  apply/matrixP=> i j; rewrite mxE summxE (ofQ_eqP F (allQP (h i) j)).
  elim: s {s0 h} => [|t s IH] /=; first by rewrite big_nil ofQ0.
  by rewrite big_cons -IH ofQD !ofQM !mxE big_ord1 !mxE.
elim: s s0 {h} => [|t s IH] /=; first by rewrite big_nil => _; apply: psd0.
case/andP=> t0 /IH hs; rewrite big_cons; apply: psdD => //; apply: psdZ; last exact: psd_gram.
by rewrite -(ofQ0 F); apply: ofQ_leP.
Qed.

Lemma swap_left : K - phi *m phi^T = \matrix_(i, j) ofQ F (leftQ i j).
Proof. by apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE ofQB ofQM. Qed.

Lemma swap_top : top_features K phi (const_mx (ofQ F swap_lam)).
Proof.
split.
- apply/matrixP=> i j; rewrite mul_mx_diag !mxE -ofQM.
  have -> : \sum_k K i k * phi k j = ofQ F (sumQ 3 (fun k => Qmult (entry swap_K i k) (item swap_phi k))).
    by rewrite sumQE; apply: eq_bigr => k _; rewrite !mxE ofQM.
  by case: i => [[|[|[|//]]]] ?; apply: ofQ_eqP.
- apply/matrixP=> i j; rewrite !mxE !ord1 eqxx mulr1n.
  have -> : \sum_k phi^T 0 k * phi k 0 = ofQ F (sumQ 3 (fun k => Qmult (item swap_phi k) (item swap_phi k))).
    by rewrite sumQE; apply: eq_bigr => k _; rewrite !mxE ofQM.
  exact: ofQ_eqP.
- by rewrite swap_left; apply: (@psdQP _ _ left_squares).
- move=> i; rewrite swap_left.
  rewrite [X in psd X](_ : _ = \matrix_(i < 3, j < 3) ofQ F (topQ i j)); first exact: (@psdQP _ _ top_squares).
  apply/matrixP=> k l; rewrite !mxE /topQ ofQB ofQM; congr (_ * _ - _).
  by rewrite -[k == l]/(nat_of_ord k == l); case: (nat_of_ord k == l); rewrite ?ofQ1 ?ofQ0.
Qed.

(* LSPE multiplies its one parameter by gamma phi_1 / phi_2 = 2961/1264 *)
Lemma swap_lspe : lspe_matrix (mxQ F 3 3 swap_P) (ofQ F swap_g) (rowQ F 3 swap_D) phi
  = const_mx (ofQ F (Qmake 2961 1264)).
Proof.
set D := rowQ F 3 swap_D; pose c := ofQ F (Qmake 24 65).
have dot (A : 'cV[F]_3) : phi^T *m diag_mx D *m A = const_mx (c * A (@Ordinal 3 2 isT) 0).
  apply/matrixP=> i j; rewrite mul_mx_diag !mxE !ord1 3!big_ord_recl big_ord0 !mxE /=.
  rewrite /item /= ofQ0 ofQ1 !mulr0 !mul0r mulr1 !add0r addr0; congr (_ * A _ _).
  exact: val_inj.
have c0 : c != 0 by rewrite gt_eqF // -(ofQ0 F); apply: ofQ_ltP.
have cov : covariance D phi = const_mx (c * c).
  by rewrite /covariance dot; congr const_mx; rewrite mxE.
have inv : pinv (covariance D phi) = const_mx (c * c)^-1.
  rewrite cov; apply: pinv_eq; have h : c * c != 0 by rewrite mulf_neq0.
  by split; apply/matrixP=> i j; rewrite !mxE ?big_ord1 ?mxE ?big_ord1 ?mxE; field.
have next : (mxQ F 3 3 swap_P *m phi) (@Ordinal 3 2 isT) 0 = ofQ F (Qmake 189 130).
  rewrite mxE 3!big_ord_recl big_ord0 !mxE /entry /item /= ofQ0 ofQ1.
  by rewrite !mul0r mul1r !add0r !addr0.
rewrite /lspe_matrix /regression inv -(mulmxA _ (mxQ _ _ _ _)) -!(mulmxA (const_mx _)) dot next.
apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE -!ofQM -ofQV -!ofQM.
exact: ofQ_eqP.
Qed.
End Swap.

Theorem truncation_unweighted_stable (F : realFieldType) : ~ truncation_unweighted_stable_claim F.
Proof.
move=> /(_ 3%N 1%N _ _ _ (rowQ F 3 swap_D) (colQ F 3 swap_phi) (const_mx (ofQ F swap_lam))
  (@paper_chainQP F 3 swap_P swap_r swap_g isT)).
rewrite (@spreadQP F 3 _ (Qmake 2 1)) // (@kernelQP F 3 _ _ _ _ swap_K) //.
have w : weights (rowQ F 3 swap_D).
  by move=> x; rewrite mxE -(ofQ0 F); case: x => [[|[|[|//]]]] ?; apply: ofQ_leP.
have s : \sum_x rowQ F 3 swap_D 0 x = 1.
  by rewrite 3!big_ord_recl big_ord0 !mxE /item /= ofQ0 ofQ1 !add0r addr0.
have big : 1 <= ofQ F (Qmake 2961 1264) by rewrite -(ofQ1 F); apply: ofQ_leP.
case/(_ w s (swap_top F)) => [h | ].
  have := h (ofQ F (Qmake 2961 1264)) 0; rewrite swap_lspe expr1n expr0n addr0 => lt.
  have : ofQ F (Qmake 2961 1264) ^+ 2 < 1.
    apply: lt; exists (const_mx 1), 0; split.
    - by apply/orP; left; apply/eqP=> /rowP/(_ 0)/eqP; rewrite !mxE oner_eq0.
    - by apply/rowP=> j; rewrite !mxE big_ord1 !mxE mulr1 mul1r mul0r subr0.
    - by rewrite mul0mx scale0r scaler0 addr0.
  by move: big; clear; nra.
apply: (@eigenvector_unstable _ _ _ _ _ _ _ _ (ofQ F (Qmake 2961 1264)) (const_mx 1)).
- by apply/eqP=> /colP/(_ 0)/eqP; rewrite !mxE oner_eq0.
- by rewrite swap_lspe; apply/colP=> i; rewrite !mxE big_ord1 !mxE.
- by rewrite ger0_norm // (le_trans ler01).
Qed.
