(* The KROPE operator and the KROPE kernel: the solution of K = K1 + gamma P K P'. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain stein reward_kernel.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Definitions.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F).

Definition krope_op (k : 'M[F]_n) : 'M[F]_n := reward_kernel r R + g *: (P *m k *m P^T).
Definition krope_kernel : 'M[F]_n := stein_solution P g (reward_kernel r R).
Definition krope_dist (x y : 'I_n) : F := dist krope_kernel x y.

Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1).

Lemma krope_kernelP : krope_kernel = krope_op krope_kernel.
Proof. exact: stein_solutionP. Qed.

Lemma krope_kernel_unique k : k = krope_op k -> k = krope_kernel.
Proof. exact: stein_solution_unique. Qed.

Lemma krope_kernel_sym : krope_kernel^T = krope_kernel.
Proof. exact/stein_solution_sym/reward_kernel_sym. Qed.
End Definitions.

Section Positive.
Variables (F : archiFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1) (hR : spread r <= 2%:R * R).

Lemma krope_kernel_psd : psd (krope_kernel P r R g).
Proof. exact/stein_solution_psd/psd_reward_kernel. Qed.
End Positive.
