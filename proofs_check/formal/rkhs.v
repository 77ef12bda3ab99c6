(* The Bellman operator contracts by sqrt(gamma) in the Hilbert space of the KROPE kernel. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain penrose reward_kernel reward_range kernel lspe residual stability invariant
  spectrum.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* norm(f)_H^2 = f' K^+ f, for f in the range of K *)
Definition rkhs_norm (F : realFieldType) n (K : 'M[F]_n) (f : 'cV[F]_n) : F := (f^T *m pinv K *m f) 0 0.
(* how many rewards there are *)
Definition distinct_rewards (F : realFieldType) n (r : 'cV[F]_n) : nat := size (undup [seq r x 0 | x <- enum 'I_n]).

Section Norm.
Variables (F : realFieldType) (n : nat) (K : 'M[F]_n).
Hypothesis sK : K^T = K.

Lemma rkhs_normE c : rkhs_norm K (K *m c) = form K c^T c^T.
Proof.
have [e _ _ _] := pinvP K; rewrite /rkhs_norm /form trmx_mul trmxK sK.
by rewrite -[in RHS]e !mulmxA.
Qed.

Lemma rkhs_normZ a f : rkhs_norm K (a *: f) = a ^+ 2 * rkhs_norm K f.
Proof.
have t : (a *: f)^T = a *: f^T by rewrite linearZ.
by rewrite /rkhs_norm t -!scalemxAl -scalemxAr scalerA mxE expr2.
Qed.
End Norm.

Section Levels.
Variables (F : realFieldType) (n : nat) (r : 'cV[F]_n).
Let s := undup [seq r x 0 | x <- enum 'I_n].
Let E : 'M[F]_(n, size s) := \matrix_(x, k) (r x 0 == nth 0 s k)%:R.

Lemma level_lt x : (index (r x 0%R) s < size s)%N.
Proof. by rewrite index_mem mem_undup; apply/mapP; exists x; rewrite ?mem_enum. Qed.

Lemma levels_span f : reward_function r f -> exists h, f = E *m h.
Proof.
move=> rf; exists (\col_k if [pick x | r x 0 == nth 0 s k] is Some x then f x 0 else 0); apply/colP=> x.
have nx : nth 0 s (Ordinal (level_lt x)) = r x 0 by rewrite /= nth_index // -index_mem level_lt.
rewrite mxE (bigD1 (Ordinal (level_lt x))) //= !mxE nx eqxx mul1r big1 ?addr0 => [|k ne]; last first.
  have nk : (r x 0 == nth 0 s k) = false.
    by rewrite -nx nth_uniq ?undup_uniq ?level_lt //; apply/negbTE; rewrite eq_sym.
  by rewrite !mxE nk mul0r.
by case: pickP => [y /eqP e | /(_ x)]; [apply: rf | rewrite eqxx].
Qed.

Lemma levels_rank : \rank E = size s.
Proof.
apply/eqP; rewrite -mxrank_tr -/(row_free _); apply/inj_row_free => v e; apply/rowP=> k; rewrite [RHS]mxE.
have : nth 0 s k \in s by rewrite mem_nth.
rewrite mem_undup => /mapP[x _ ex]; have /rowP/(_ x) := e; rewrite !mxE (bigD1 k) //= !mxE -ex eqxx mulr1.
rewrite big1 ?addr0 // => j ne; have nj : (nth 0 s k == nth 0 s j) = false.
  by rewrite nth_uniq ?undup_uniq //; apply/negbTE; rewrite eq_sym.
by rewrite !mxE -ex nj mulr0.
Qed.

Lemma reward_kernel_rank R : proper_range r R -> \rank (reward_kernel r R) = distinct_rewards r.
Proof.
move=> pR; set K1 := reward_kernel r R.
have [C eC] : exists C, K1 = E *m C.
  apply: span_by_null => v vE; apply/rowP=> y; rewrite [RHS]mxE.
  have [h eh] : exists h, col y K1 = E *m h by apply: levels_span => a b e; rewrite !mxE e.
  have := congr1 (fun A => (v *m A) 0 0) eh; rewrite /= mulmxA vE mul0mx [X in _ = X]mxE => <-.
  by rewrite !mxE; apply: eq_bigr => x _; rewrite !mxE.
have [A eA] : exists A, E = K1 *m A.
  apply: span_by_null => v vK; apply/rowP=> k; rewrite [RHS]mxE.
  have rf : reward_function r (col k E) by move=> a b e; rewrite !mxE e.
  have := congr1 (fun B : 'M_1 => B 0 0) (reward_function_null pR rf vK); rewrite /= [X in _ = X]mxE => <-.
  by rewrite !mxE; apply: eq_bigr => x _; rewrite !mxE.
apply/eqP; rewrite /distinct_rewards -/s -levels_rank eqn_leq; apply/andP; split.
  by rewrite eC mxrankM_maxl.
by rewrite eA mxrankM_maxl.
Qed.
End Levels.

(* norm(gamma P f)_H <= sqrt(gamma) norm(f)_H on H; norm2(L) <= sqrt(gamma) for all weights, with the pseudo-inverse;
   and gamma I - L L' has as its rank the number of distinct rewards, for features of full rank on the data *)
Theorem rkhs_contraction (F : archiFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) :
  substochastic P -> 0 <= g < 1 -> 0 <= R -> proper_range r R ->
  let K := krope_kernel P r R g in
  [/\ forall c : 'cV[F]_n, let f := K *m c in
        (exists c', g *: (P *m f) = K *m c') /\ rkhs_norm K (g *: (P *m f)) <= g * rkhs_norm K f,
      forall d (Phi : 'M[F]_(n, d)) (D : 'rV[F]_n), weights D -> Phi *m Phi^T = K ->
        forall v : 'cV[F]_d, colnorm (lspe_matrix P g D Phi *m v) <= g * colnorm v
    & 0 < g -> forall d (Phi : 'M[F]_(n, d)) (D : 'rV[F]_n), Phi *m Phi^T = K -> covariance D Phi \in unitmx ->
        let L := lspe_matrix P g D Phi in \rank (g *: 1%:M - L *m L^T) = distinct_rewards r].
Proof.
move=> sP /andP[g0 g1] R0 pR K; have hR := proper_range_ge R0 pR.
have sK : K^T = K := krope_kernel_sym _ _ sP g0 g1.
have pK : psd K := krope_kernel_psd sP g0 g1 hR.
split.
- move=> c f; have [z | gn] := eqVneq g 0.
    rewrite z scale0r mul0r; split; first by exists 0; rewrite mulmx0.
    by rewrite -(scale0r 0) rkhs_normZ expr0n mul0r.
  have gp : 0 < g by rewrite lt_neqAle eq_sym gn.
  have [M eM] := kernel_invariant sP g0 g1 hR gp.
  have eh : P *m f = K *m (M *m c) by rewrite /f !mulmxA eM.
  split; first by exists (g *: (M *m c)); rewrite -scalemxAr -eh.
  rewrite eh rkhs_normZ !rkhs_normE //; set e := (M *m c)^T.
  have step : g * form K (e *m P) (e *m P) <= form K e e.
    by rewrite [X in _ <= X](kernel_form r R sP g0 g1) ler_addr psd_reward_kernel.
  have cs := cauchy_schwarz (e *m P) c^T sK pK.
  have eF : form K (e *m P) c^T = form K e e.
    rewrite {1}/form trmxK -!mulmxA -/f eh /form /e trmxK.
    by rewrite mulmxA.
  have h : g * form K e e ^+ 2 <= form K e e * form K c^T c^T.
    apply: le_trans (_ : g * form K (e *m P) (e *m P) * form K c^T c^T <= _).
      by rewrite -mulrA ler_wpmul2l // -eF.
    by rewrite ler_wpmul2r.
  have := pK e; rewrite le_eqVlt => /orP[/eqP <- | ep]; first by rewrite mulr0 mulr_ge0.
  rewrite expr2 -mulrA ler_wpmul2l // -(ler_pmul2r ep); apply: le_trans (_ : form K e e * form K c^T c^T <= _).
    by rewrite -mulrA -expr2.
  by rewrite mulrC.
- move=> d Phi D wD eK v; apply: colnorm_mul => //.
  exact: representation_norm (kernel_representation (D := D) sP g0 g1 eK) g0 hR.
move=> gp d Phi D eK uB L; have rep := kernel_representation (D := D) sP g0 g1 eK.
rewrite (representation_gap rep) pinv_unit // mulmxV // subrr scaler0 add0r mxrank_scale_nz ?gt_eqF //.
set W := regression D Phi; set K1 := reward_kernel r R.
have WPhi : W *m Phi = 1%:M by rewrite regression_Phi pinv_unit // mulVmx.
clearbody W; have [Z eZ] : exists Z, K1 = Phi *m Z.
  by apply: span_by_null => v /(features_null eK)/(kernel_null sP g0 g1 hR)[].
have e1 : Phi *m W *m K1 = K1 by rewrite eZ mulmxA -(mulmxA Phi) WPhi mulmx1.
have e2 : K1 *m (Phi *m W)^T = K1.
  by apply: trmx_inj; rewrite trmx_mul trmxK reward_kernel_sym e1.
rewrite -(reward_kernel_rank pR) -/K1; apply/eqP; rewrite eqn_leq; apply/andP; split.
  exact: leq_trans (mxrankM_maxl _ _) (mxrankM_maxr _ _).
have e3 : Phi *m (W *m K1 *m W^T) *m Phi^T = K1.
  by rewrite !mulmxA e1 -mulmxA -trmx_mul e2.
rewrite -{1}e3; move: (W *m K1 *m W^T) => Y.
exact: leq_trans (mxrankM_maxl _ _) (mxrankM_maxr _ _).
Qed.
