(* The distance d(x,y) = K_xx + K_yy - 2 K_xy of a kernel: embeddings, MMD, and what d is made of. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd chain reward_kernel stein kernel penrose.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Kernels.
Variables (F : realFieldType) (n : nat).
Implicit Types (K : 'M[F]_n) (p q : 'rV[F]_n).

(* MMD(K)(p, q)^2: the squared norm, in the RKHS of K, of sum_x p_x k(x,.) - sum_x q_x k(x,.) *)
Definition mmd2 K p q : F := form K (p - q) (p - q).

(* it is: f = sum_x (p - q)_x k(x,.) has the squared RKHS norm f K^+ f' *)
Lemma mmd2_norm K p q : K^T = K -> form (pinv K) (p *m K - q *m K) (p *m K - q *m K) = mmd2 K p q.
Proof.
move=> sK; have [e _ _ _] := pinvP K.
by rewrite -mulmxBl -form_conj sK e.
Qed.

(* an invertible kernel tells any two distributions (and any two signed measures) apart: l |p - q|^2 <= MMD^2 for every
   l below the eigenvalues of K *)
Theorem lemma_mmd_zero K p q : K^T = K -> psd K ->
  (\rank K = n -> mmd2 K p q = 0 -> p = q) /\
  (forall l, psd (K - l *: 1%:M) -> l * sqnorm (p - q) <= mmd2 K p q).
Proof.
move=> sK pK; split=> [fK /(psd_null sK pK) e | l /(_ (p - q))]; last by rewrite formD formN formZ subr_ge0.
apply/eqP; rewrite -subr_eq0; apply/eqP; have /row_free_inj inj : row_free K by apply/eqP.
by apply: inj; rewrite mul0mx.
Qed.

(* d(x,y) = 0 makes k(x,.) and k(y,.) one function: (k(x,z) - k(y,z))^2 <= d(x,y) k(z,z) *)
Theorem lemma_kernel_embedding K x y : K^T = K -> psd K ->
  (dist K x y = 0 -> row x K = row y K) /\ (forall z, (K x z - K y z) ^+ 2 <= dist K x y * K z z).
Proof.
move=> sK pK; rewrite -distE //; split=> [/(psd_null sK pK) | z].
  by rewrite mulmxBl -!rowE => /eqP; rewrite subr_eq0 => /eqP.
have := cauchy_schwarz (delta_mx 0 x - delta_mx 0 y) (delta_mx 0 z) sK pK.
rewrite form_delta; congr (_ ^+ 2 <= _).
by rewrite /form mulmxBl -!rowE trmx_delta -colE !mxE.
Qed.
End Kernels.

Section Identity.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1).
Let K := krope_kernel P r R g.

Lemma kernel_entry x y : K x y = 1 - `|r x 0 - r y 0| / R + g * form K (row x P) (row y P).
Proof.
have e : K = krope_op P r R g K := krope_kernelP _ _ subP g0 g1.
rewrite {1}e /krope_op mxE [X in _ + X]mxE [reward_kernel _ _ _ _]mxE; congr (_ + _ * _).
by rewrite -form_delta form_conj -!rowE.
Qed.

(* the printed identity is the case R = 2 *)
Theorem prop_distance_identity x y :
  krope_dist P r R g x y = 2%:R / R * `|r x 0 - r y 0| + g * mmd2 K (row x P) (row y P) /\
  (R = 2%:R -> krope_dist P r R g x y = `|r x 0 - r y 0| + g * mmd2 K (row x P) (row y P)).
Proof.
have sK : K^T = K := krope_kernel_sym _ _ subP g0 g1.
suff e : krope_dist P r R g x y = 2%:R / R * `|r x 0 - r y 0| + g * mmd2 K (row x P) (row y P).
  by split=> // R2; rewrite e R2 divff ?pnatr_eq0 // mul1r.
rewrite /krope_dist /dist -/K !kernel_entry !subrr !normr0 /mmd2.
have := form_sq (row x P) (row y P) 1 (-1) sK; rewrite scale1r scaleN1r => ->.
by set a := form K (row x P) _; set b := form K (row y P) _; set c := form K _ (row y P); ring.
Qed.
End Identity.
