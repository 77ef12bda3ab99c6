(* The range of the KROPE kernel: null vectors, invariance under P, functions of the reward. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain stein reward_kernel reward_range kernel.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* a function of the reward has one value where rewards agree *)
Definition reward_function (F : realFieldType) n (r f : 'cV[F]_n) := forall x y, r x 0 = r y 0 -> f x 0 = f y 0.
(* R is above half the range, or all rewards are equal *)
Definition proper_range (F : realFieldType) n (r : 'cV[F]_n) (R : F) := (spread r < 2%:R * R) || (spread r == 0).

(* the columns of A lie in the span of those of V when A vanishes wherever V does *)
Lemma span_by_null (F : fieldType) n p m (A : 'M[F]_(n, p)) (V : 'M[F]_(n, m)) :
  (forall v : 'rV[F]_n, v *m V = 0 -> v *m A = 0) -> exists C, A = V *m C.
Proof.
move=> h; pose N := cokermx V^T.
have NV : N^T *m V = 0 by apply: trmx_inj; rewrite trmx_mul trmxK mulmx_coker trmx0.
have NA : N^T *m A = 0.
  by apply/row_matrixP=> i; rewrite row0 row_mul h // -row_mul NV row0.
have : (A^T <= V^T)%MS by rewrite submxE; apply/eqP/trmx_inj; rewrite trmx_mul trmxK NA trmx0.
by case/submxP=> C e; exists C^T; apply: trmx_inj; rewrite trmx_mul trmxK.
Qed.

(* a function that every null vector of the reward kernel kills: all functions of the reward *)
Lemma reward_function_null (F : realFieldType) n (r f : 'cV[F]_n) (R : F) (v : 'rV[F]_n) :
  proper_range r R -> reward_function r f -> v *m reward_kernel r R = 0 -> v *m f = 0.
Proof.
move=> hR rf null; have null2 : form (reward_kernel r R) v v = 0 by rewrite /form null mul0mx mxE.
apply/matrixP=> i j; rewrite !ord1 mxE [RHS]mxE.
pose h t := if [pick x | r x 0 == t] is Some x then f x 0 else 0.
rewrite -[RHS](reward_kernel_null hR null2 h); apply: eq_bigr => x _; congr (_ * _); rewrite /h.
by case: pickP => [y /eqP e | /(_ x)]; [apply: rf | rewrite eqxx].
Qed.

Lemma proper_range_ge (F : realFieldType) n (r : 'cV[F]_n) (R : F) :
  0 <= R -> proper_range r R -> spread r <= 2%:R * R.
Proof. by move=> R0 /orP[/ltW //|/eqP ->]; rewrite mulr_ge0 ?ler0n. Qed.

Section Range.
Variables (F : archiFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1) (hR : spread r <= 2%:R * R).
Let K := krope_kernel P r R g.
Let K1 := reward_kernel r R.

Lemma kernel_form v : form K v v = form K1 v v + g * form K (v *m P) (v *m P).
Proof. by rewrite {1}/K krope_kernelP // /krope_op formD formZ form_conj. Qed.

Lemma kernel_null (v : 'rV[F]_n) : v *m K = 0 -> v *m K1 = 0 /\ (0 < g -> v *m P *m K = 0).
Proof.
move=> vK; have z : form K v v = 0 by rewrite /form vK mul0mx mxE.
have pK := krope_kernel_psd subP g0 g1 hR; have p1 := psd_reward_kernel hR.
move/eqP: (kernel_form v); rewrite z eq_sym paddr_eq0 ?p1 ?mulr_ge0 // => /andP[/eqP z1 z2].
split; first by apply: psd_null => //; apply: reward_kernel_sym.
move=> gp; apply: psd_null => //; first exact: krope_kernel_sym.
by move: z2; rewrite mulf_eq0 gt_eqF //= => /eqP.
Qed.

Lemma kernel_invariant : 0 < g -> exists M, P *m K = K *m M.
Proof. by move=> gp; apply: span_by_null => v /kernel_null[_ /(_ gp)]; rewrite -mulmxA. Qed.

Lemma kernel_reward_function f : proper_range r R -> reward_function r f -> exists c, f = K *m c.
Proof.
move=> pR rf; apply: span_by_null => v /kernel_null[v1 _].
exact: reward_function_null pR rf v1.
Qed.

(* any invariant subspace with the functions of the reward contains the range of K *)
Lemma kernel_smallest m (V : 'M[F]_(n, m)) :
  (exists M, P *m V = V *m M) -> (forall f, reward_function r f -> exists c, f = V *m c) -> exists C, K = V *m C.
Proof.
case=> M eV hf; have [C1 e1] : exists C, K1 = V *m C.
  apply: span_by_null => v vV; apply/rowP=> y; rewrite [RHS]mxE.
  have rf : reward_function r (col y K1) by move=> a b e; rewrite !mxE e.
  have [c ec] := hf _ rf; have := congr1 (fun A => (v *m A) 0 0) ec.
  by rewrite mulmxA vV mul0mx [RHS]mxE => <-; rewrite !mxE; apply: eq_bigr => x _; rewrite !mxE.
have pK := krope_kernel_psd subP g0 g1 hR.
apply: span_by_null => v vV; apply: psd_null => //; first exact: krope_kernel_sym.
apply/eqP; rewrite eq_le pK andbT -oppr_ge0.
apply: (geom_ge0 g0 g1 (C := supnorm K * norm1 v ^+ 2)) => [|N].
  by rewrite mulr_ge0 ?supnorm_ge0 // exprn_ge0 // norm1_ge0.
rewrite ler_opp2; elim: N v vV => [|N IH] v vV.
  by rewrite expr0 mul1r; have := form_bound K v; rewrite ler_norml => /andP[].
have z : form K1 v v = 0 by rewrite e1 /form mulmxA vV !mul0mx mxE.
rewrite kernel_form z add0r exprS -mulrA ler_wpmul2l //.
have vPV : v *m P *m V = 0 by rewrite -mulmxA eV mulmxA vV mul0mx.
apply: le_trans (IH _ vPV) _; rewrite ler_wpmul2l ?exprn_ge0 // ler_wpmul2l ?supnorm_ge0 //.
by rewrite ler_expn2r ?nnegrE ?norm1_ge0 // norm1_mulP.
Qed.

(* features with Phi Phi' = K span the range of K *)
Section Features.
Variables (d : nat) (Phi : 'M[F]_(n, d)).
Hypothesis eK : Phi *m Phi^T = K.

Lemma features_null (v : 'rV[F]_n) : v *m Phi = 0 <-> v *m K = 0.
Proof.
split=> [e | e]; first by rewrite -eK mulmxA e mul0mx.
by apply: sqnorm_eq0; rewrite -form_gram eK /form e mul0mx mxE.
Qed.

Lemma features_invariant : 0 < g -> exists M, P *m Phi = Phi *m M.
Proof.
move=> gp; apply: span_by_null => v /features_null/kernel_null[_ /(_ gp)/features_null].
by rewrite mulmxA.
Qed.

Lemma features_reward_function f : proper_range r R -> reward_function r f -> exists c, f = Phi *m c.
Proof.
move=> pR rf; apply: span_by_null => v /features_null/kernel_null[v1 _].
exact: reward_function_null pR rf v1.
Qed.
End Features.
End Range.
