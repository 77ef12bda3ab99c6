(* The definition of a KROPE representation, read entry by entry on the data's pairs: it can be met, and suffices. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import psd supnorm chain penrose reward_kernel kernel lspe stability spectral top_eigenpairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* the definition can be met: by the features of the kernel, of this chain or of any that agrees with it on the data,
   and these exist over a real closed field; whatever meets it has norm2(L) <= sqrt(gamma) *)
Theorem definition_krope_representation (F : archiFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F)
    (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)) :
  substochastic P -> 0 <= g < 1 -> spread r <= 2%:R * R -> weights D ->
  [/\ forall (P' : 'M[F]_n) (r' : 'cV[F]_n), substochastic P' ->
        (forall x, D 0 x != 0 -> row x P' = row x P /\ r' x 0 = r x 0) ->
        Phi *m Phi^T = krope_kernel P' r' R g -> krope_representation P r R g D Phi,
      Num.real_closed_axiom F -> exists Phi0 : 'M[F]_n,
        Phi0 *m Phi0^T = krope_kernel P r R g /\ krope_representation P r R g D Phi0
    & krope_representation P r R g D Phi ->
        forall v : 'cV[F]_d, colnorm (lspe_matrix P g D Phi *m v) <= g * colnorm v].
Proof.
move=> sP /andP[g0 g1] hR _; split=> [P' r' sP' agree eK x y dx dy | rc | rep]; last 2 first.
- have sK := krope_kernel_sym r R sP g0 g1; have pK := krope_kernel_psd sP g0 g1 hR.
  have [S [sS _ SS]] := @psd_root (RcfType F rc) n _ sK pK; exists S; rewrite sS; split=> // x y _ _.
  rewrite sS SS {1}krope_kernelP // -SS /krope_op mxE; congr (_ + _).
  by rewrite mxE trmx_mul sS !mulmxA.
- exact: colnorm_mul (representation_norm rep g0 hR).
have [[ex rx] [ey ry]] := (agree x dx, agree y dy).
rewrite eK krope_kernelP // mxE [reward_kernel r' R x y]mxE [reward_kernel r R x y]mxE rx ry; congr (_ + _).
rewrite mxE -eK; congr (_ * _).
have -> : P' *m (Phi *m Phi^T) *m P'^T = P' *m Phi *m (P' *m Phi)^T by rewrite trmx_mul !mulmxA.
have rowP x0 : row x0 P' = row x0 P -> forall i, (P' *m Phi) x0 i = (P *m Phi) x0 i.
  by move=> e i; have := row_mul x0 P' Phi; rewrite e -row_mul => /rowP/(_ i); rewrite !mxE.
by rewrite !mxE; apply: eq_bigr => i _; rewrite rowP // ![_^T _ _]mxE rowP.
Qed.
