(* Singular covariances with data everywhere: features of full rank are stable, whatever the paper's
   figure shows; features of lower rank need not be. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain penrose lspe full_rank rational arith witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* Data everywhere. The spectral radius of L is not below 1, or the iteration is not stable. *)
Definition unstable_with_data (F : realFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n)
    (Phi : 'M[F]_(n, d)) :=
  [/\ substochastic P, 0 <= g < 1, forall x, 0 < D 0 x
    & ~ radius_lt (lspe_matrix P g D Phi) 1 \/ ~ lspe_stable P r g D Phi].

(* Some features of rank |X| make LSPE unstable although every pair has data. *)
Definition figure_2_instability_claim (F : realFieldType) :=
  exists n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)),
  unstable_with_data P r g D Phi /\ \rank Phi = n.

Lemma full_rank_stable (F : archiFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n)
    (Phi : 'M[F]_(n, d)) : \rank Phi = n -> ~ unstable_with_data P r g D Phi.
Proof.
move=> full [sP /andP[g0 g1] D0 []]; apply; last first.
  by exists (regression D Phi *m values P r g); apply: full_rank_converges.
move=> a b /(full_rank_radius sP g0 D0 full) h; rewrite expr1n; apply: le_lt_trans h _.
by rewrite expr_lte1.
Qed.

(* It is false: the non-zero spectrum of L is that of gamma P, so rho(L) <= gamma, and LSPE recovers q.
   Eigenvalues a + ib are complex numbers. *)
Theorem figure_2_instability (F : archiFieldType) :
  ~ figure_2_instability_claim F /\
  forall n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)),
  substochastic P -> 0 <= g < 1 -> (forall x, 0 < D 0 x) -> \rank Phi = n ->
  let L := lspe_matrix P g D Phi in
  [/\ forall a b, (a != 0) || (b != 0) -> complex_eigenvalue L a b <-> complex_eigenvalue (g *: P) a b,
      radius_le L g
    & exists2 limit, lspe_limit P r g D Phi limit & Phi *m limit = values P r g].
Proof.
split=> [[n [d [P [r [g [D [Phi [h full]]]]]]]] | n d P r g D Phi sP /andP[g0 g1] D0 full L].
  exact: full_rank_stable full h.
split; first by move=> a b; apply: full_rank_spectrum.
  exact: full_rank_radius.
exists (regression D Phi *m values P r g); first exact: full_rank_converges.
by rewrite mulmxA full_rank_regression // mul1mx.
Qed.

(* With more columns than pairs the covariance is singular, and that alone makes LSPE unstable for some
   features: of rank |X|, so that the dimension and not the rank is at fault. *)
Definition remark_singular_covariance_claim (F : realFieldType) :=
  exists n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)),
  [/\ (n < d)%N, unstable_with_data P r g D Phi & \rank Phi = n].

Section Tables.
Local Open Scope Q_scope.
(* both pairs lead to the second *)
Definition second_P : seq (seq Q) := [:: [:: 0; 1]; [:: 0; 1]].
Definition second_D : seq Q := [:: 9#10; 1#10].
End Tables.

Section Witnesses.
Variable F : realFieldType.

Lemma const_mul m n p (a b : F) :
  (const_mx a : 'M_(m, n)) *m (const_mx b : 'M_(n, p)) = const_mx (n%:R * a * b).
Proof.
apply/matrixP=> i j; rewrite !mxE (eq_bigr (fun=> a * b)) => [|k _]; last by rewrite !mxE.
by rewrite sumr_const card_ord -mulr_natl mulrA.
Qed.

(* three equal columns (1, 2)': the iteration multiplies (1, 1, 1)' by 99/65 *)
Let Phi : 'M[F]_(2, 3) := \matrix_(i, j) (i.+1)%:R.
Let P := mxQ F 2 2 second_P.
Let D := rowQ F 2 second_D.
Let g : F := ofQ F (Qmake 9 10).

Lemma tables : [/\ P *m Phi = const_mx 2%:R, covariance D Phi = const_mx (13%:R / 10%:R)
  & Phi^T *m diag_mx D *m const_mx 2%:R = const_mx (22%:R / 10%:R) :> 'M[F]_3].
Proof.
have o : ofQ F (Qmake 1 1) = 1 := ofQ1 F; have z : ofQ F (Qmake 0 1) = 0 := ofQ0 F.
have n : ofQ F (Qmake 9 10) = 9%:R / 10%:R.
  by rewrite -(ofQ_nat F 9) -(ofQ_nat F 10) -ofQ_div; apply: ofQ_eqP.
have t : ofQ F (Qmake 1 10) = 10%:R^-1 by rewrite -(ofQ_nat F 10) -ofQV; apply: ofQ_eqP.
split; apply/matrixP=> i j; rewrite ?mul_mx_diag /covariance ?mul_mx_diag !mxE 2!big_ord_recl big_ord0 !mxE /=.
- by case: i => [[|[|//]]] ? /=; rewrite /entry /= o z mul0r mul1r add0r addr0.
- by rewrite /item /bump /= n t; field.
- by rewrite /item /bump /= n t; field.
Qed.

Lemma repeated_columns : lspe_matrix P g D Phi = const_mx (33%:R / 65%:R).
Proof.
have [e1 e2 e3] := tables.
have pc : pinv (covariance D Phi) = const_mx (10%:R / 117%:R).
  rewrite e2; apply: pinv_eq; split; rewrite !const_mul.
  - by congr const_mx; field.
  - by congr const_mx; field.
  - by rewrite trmx_const.
  - by rewrite trmx_const.
rewrite /lspe_matrix -(mulmxA _ P) e1 /regression pc -!mulmxA (mulmxA Phi^T) e3 const_mul.
have -> : g = 9%:R / 10%:R by rewrite /g -(ofQ_nat F 9) -(ofQ_nat F 10) -ofQ_div; apply: ofQ_eqP.
by apply/matrixP=> i j; rewrite !mxE; field.
Qed.

Lemma repeated_columns_unstable (r : 'cV[F]_2) : unstable_with_data P r g D Phi.
Proof.
split; [exact/stochastic_sub/(@stochasticQP F 2) | exact: (@discountQP F (Qmake 9 10)) | |].
  by move=> x; rewrite mxE -(ofQ0 F); case: x => [[|[|//]]] ?; apply: ofQ_ltP.
right; apply: (@eigenvector_unstable _ _ _ _ _ _ _ _ (99%:R / 65%:R) (const_mx 1)).
- by apply/eqP=> /colP/(_ 0)/eqP; rewrite !mxE oner_eq0.
- by rewrite repeated_columns const_mul; apply/colP=> i; rewrite !mxE; field.
- by rewrite ger0_norm ?divr_ge0 ?ler0n // ler_pdivl_mulr ?ltr0n // mul1r ler_nat.
Qed.
End Witnesses.

(* It is false; what can be unstable with data everywhere is features of lower rank, in any dimension. *)
Theorem remark_singular_covariance (F : archiFieldType) :
  ~ remark_singular_covariance_claim F /\
  exists n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)),
  [/\ (n < d)%N, unstable_with_data P r g D Phi & (\rank Phi < n)%N].
Proof.
split=> [[n [d [P [r [g [D [Phi [_ h full]]]]]]]] |]; first exact: full_rank_stable full h.
have un := repeated_columns_unstable (0 : 'cV[F]_2).
exists 2%N, 3%N; do 5 eexists; split; [by [] | exact: un |].
rewrite ltn_neqAle rank_leq_row andbT; apply/eqP=> full; exact: full_rank_stable full un.
Qed.
