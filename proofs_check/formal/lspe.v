(* LSPE: the least-squares iteration theta <- b + L theta on features Phi under data weights D. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm penrose.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Lspe.
Variables (F : realFieldType) (n d : nat).
Variables (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)).

(* B = Phi' D Phi, W = B^+ Phi' D (the D-regression onto Phi), L = g W P Phi, b = W r *)
Definition covariance : 'M[F]_d := Phi^T *m diag_mx D *m Phi.
Definition regression : 'M[F]_(d, n) := pinv covariance *m Phi^T *m diag_mx D.
Definition lspe_matrix : 'M[F]_d := g *: (regression *m P *m Phi).
Definition lspe_offset : 'cV[F]_d := regression *m r.
Definition lspe_step (theta : 'cV[F]_d) : 'cV[F]_d := lspe_offset + lspe_matrix *m theta.

(* stable: from every start the iterates reach one and the same limit *)
Definition lspe_limit (limit : 'cV[F]_d) := forall start e, 0 < e ->
  exists N, forall t, (N <= t)%N -> supnorm (iter t lspe_step start - limit) <= e.
Definition lspe_stable := exists limit, lspe_limit limit.

Lemma covariance_sym : covariance^T = covariance.
Proof. by rewrite /covariance !trmx_mul trmxK tr_diag_mx mulmxA. Qed.

Lemma regression_Phi : regression *m Phi = pinv covariance *m covariance.
Proof. by rewrite /regression /covariance !mulmxA. Qed.
End Lspe.

(* a weight for every pair, zeros allowed *)
Definition weights (F : realFieldType) n (D : 'rV[F]_n) := forall x, 0 <= D 0 x.

Section Eigenvalues.
Variables (F : realFieldType) (n : nat) (L : 'M[F]_n).

(* a + ib is an eigenvalue of L: (u + iw) L = (a + ib)(u + iw), real and imaginary parts apart *)
Definition complex_eigenvalue (a b : F) :=
  exists u w : 'rV[F]_n,
    [/\ (u != 0) || (w != 0), u *m L = a *: u - b *: w & w *m L = a *: w + b *: u].
(* every eigenvalue is at most c, or below c, in modulus *)
Definition radius_le (c : F) := forall a b, complex_eigenvalue a b -> a ^+ 2 + b ^+ 2 <= c ^+ 2.
Definition radius_lt (c : F) := forall a b, complex_eigenvalue a b -> a ^+ 2 + b ^+ 2 < c ^+ 2.

(* norm2(L)^2 <= g bounds every eigenvalue *)
Theorem eigenvalue_bound g a b : psd (g *: 1%:M - L *m L^T) -> complex_eigenvalue a b -> a ^+ 2 + b ^+ 2 <= g.
Proof.
move=> psdL [u [w [nz eu ew]]].
have N v : sqnorm (v *m L) <= g * sqnorm v.
  by have := psdL v; rewrite formD formN formZ form_gram subr_ge0.
have pos : 0 < sqnorm u + sqnorm w.
  case/orP: nz => h; first by rewrite ltr_paddr ?sqnorm_ge0 // sqnorm_gt0.
  by rewrite ltr_paddl ?sqnorm_ge0 // sqnorm_gt0.
rewrite -(ler_pmul2r pos) [g * _]mulrDr; apply: le_trans (ler_add (N u) (N w)).
have s1 : (1%:M)^T = 1%:M :> 'M[F]_n by rewrite trmx1.
rewrite eu ew -scaleNr /sqnorm !form_sq // (form_sym w u s1) le_eqVlt.
by apply/orP; left; apply/eqP; ring.
Qed.
End Eigenvalues.
