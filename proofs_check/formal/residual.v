(* L L' of any features from the residual of the KROPE equation, and the bound on norm2(L) that it certifies. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd penrose reward_kernel lspe.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Projector.
Variable F : realFieldType.

(* a symmetric idempotent matrix lies between 0 and I *)
Lemma projector_below n (Q : 'M[F]_n) : Q^T = Q -> Q *m Q = Q -> psd (1%:M - Q).
Proof.
move=> sQ qq; have -> : 1%:M - Q = (1%:M - Q) *m (1%:M - Q)^T; last exact: psd_gram.
rewrite linearB /= trmx1 sQ mulmxBl mul1mx mulmxBr mulmx1 qq subrr subr0 //.
Qed.

Lemma pinv_sym n (B : 'M[F]_n) : B^T = B -> (pinv B)^T = pinv B.
Proof. by move=> sB; rewrite pinv_tr sB. Qed.

(* B^+ B = B B^+ is a projector when B is symmetric *)
Lemma pinv_projector n (B : 'M[F]_n) : B^T = B ->
  let Q := pinv B *m B in [/\ Q^T = Q, Q *m Q = Q & B *m pinv B = Q].
Proof.
move=> sB Q; have [e1 e2 e3 e4] := pinvP B; split=> //; first by rewrite /Q mulmxA e2.
by rewrite -e3 trmx_mul pinv_sym // sB.
Qed.
End Projector.

Section Residual.
Variables (F : realFieldType) (n d : nat).
Variables (P : 'M[F]_n) (K1 : 'M[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)).
Let B := covariance D Phi.
Let W := regression D Phi.
Let L := lspe_matrix P g D Phi.
Definition residual : 'M[F]_n := Phi *m Phi^T - K1 - g *: (P *m Phi *m (P *m Phi)^T).

Lemma regression_tr : W^T = diag_mx D *m Phi *m pinv B.
Proof. by rewrite /W /regression !trmx_mul trmxK tr_diag_mx pinv_sym ?covariance_sym // mulmxA. Qed.

(* only W matters: the equation is asked for where W sees it *)
Lemma lspe_gram (E : 'M[F]_n) :
  W *m (Phi *m Phi^T - K1 - g *: (P *m Phi *m (P *m Phi)^T)) *m W^T = W *m E *m W^T ->
  L *m L^T = g *: (B *m pinv B - W *m (K1 + E) *m W^T).
Proof.
move=> e; have [sQ qq eQ] := pinv_projector (covariance_sym D Phi).
have LL : L *m L^T = g *: (W *m (g *: (P *m Phi *m (P *m Phi)^T)) *m W^T).
  rewrite /L /lspe_matrix linearZ /= !trmx_mul -!scalemxAl -!scalemxAr -!scalemxAl.
  by rewrite !mulmxA.
have WW : W *m (Phi *m Phi^T) *m W^T = B *m pinv B.
  by rewrite mulmxA -mulmxA -trmx_mul /W regression_Phi -/B sQ qq -eQ.
rewrite LL; congr (_ *: _); rewrite mulmxDr mulmxDl -e !mulmxBr !mulmxBl WW.
move: (W *m (g *: _) *m W^T) (B *m pinv B) (W *m K1 *m W^T) => a b c.
by rewrite addrA [c + (b - c)]addrC subrK opprB addrC subrK.
Qed.
End Residual.

(* norm2(L)^2 <= g (1 + e / l) when the residual, seen by the data, is at least -e and the covariance at least l *)
Lemma residual_bound (F : realFieldType) n d (P K1 : 'M[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)) (e l : F) :
  0 <= g -> psd K1 -> 0 <= e -> 0 < l ->
  let L := lspe_matrix P g D Phi in let E := residual P K1 g Phi in
  psd (diag_mx D *m E *m diag_mx D + e *: diag_mx D) -> psd (covariance D Phi - l *: 1%:M) ->
  psd ((g * (1 + e / l)) *: 1%:M - L *m L^T).
Proof.
move=> g0 p1 e0 l0 L E hE hB.
set B := covariance D Phi in hB *; set W := regression D Phi.
have [sQ qq eQ] := pinv_projector (covariance_sym D Phi); have [_ pp _ _] := pinvP B.
have eL : L *m L^T = g *: (B *m pinv B - W *m (K1 + E) *m W^T) by apply: lspe_gram.
have Wt : W^T = diag_mx D *m Phi *m pinv B by apply: regression_tr.
have eW : W = pinv B *m Phi^T *m diag_mx D by [].
have WE : W *m E *m W^T = pinv B *m Phi^T *m (diag_mx D *m E *m diag_mx D) *m (pinv B *m Phi^T)^T.
  by rewrite Wt eW trmx_mul trmxK pinv_sym ?covariance_sym // !mulmxA.
have WD : pinv B *m Phi^T *m diag_mx D *m (pinv B *m Phi^T)^T = pinv B.
  rewrite trmx_mul trmxK pinv_sym ?covariance_sym // -[RHS]pp /B /covariance !mulmxA.
  by rewrite -/(covariance D Phi).
have pB : psd (l^-1 *: 1%:M - pinv B).
  move=> v; rewrite formD formN formZ -/(sqnorm v) subr_ge0.
  set w := v *m pinv B.
  have eq : form (pinv B) v v = form B w w.
    by rewrite /form trmx_mul pinv_sym ?covariance_sym // -{1}pp !mulmxA.
  have lo : l * sqnorm w <= form B w w by have := hB w; rewrite formD formN formZ subr_ge0.
  have cs := cauchy_schwarz v w (trmx1 _ _) (@psd1 _ d).
  have ew : form 1%:M v w = form (pinv B) v v.
    by rewrite /form mulmx1 trmx_mul pinv_sym ?covariance_sym // mulmxA.
  rewrite ew -!/(sqnorm _) in cs; have a0 : 0 <= form (pinv B) v v.
    by rewrite eq; apply: le_trans lo; rewrite mulr_ge0 ?sqnorm_ge0 // ltW.
  move: a0; rewrite le_eqVlt => /orP[/eqP <- | a0]; first by rewrite mulr_ge0 ?sqnorm_ge0 // invr_ge0 ltW.
  rewrite -(ler_pmul2r a0) -expr2; apply: le_trans cs _.
  rewrite [l^-1 * _]mulrC -mulrA ler_wpmul2l ?sqnorm_ge0 // ler_pdivl_mull //.
  by rewrite eq.
have -> : (g * (1 + e / l)) *: 1%:M - L *m L^T
    = g *: (1%:M - B *m pinv B) + g *: (W *m K1 *m W^T)
      + g *: (pinv B *m Phi^T *m (diag_mx D *m E *m diag_mx D + e *: diag_mx D) *m (pinv B *m Phi^T)^T)
      + (g * e) *: (l^-1 *: 1%:M - pinv B).
  have -> : pinv B *m Phi^T *m (diag_mx D *m E *m diag_mx D + e *: diag_mx D) *m (pinv B *m Phi^T)^T
      = W *m E *m W^T + e *: pinv B.
    by rewrite mulmxDr mulmxDl -WE -scalemxAr -scalemxAl WD.
  rewrite eL mulmxDr mulmxDl.
  move: (W *m K1 *m W^T) (W *m E *m W^T) (B *m pinv B) (pinv B) => a b c p.
  apply/matrixP=> i j; rewrite !mxE; move: (a i j) (b i j) (c i j) (p i j) ((i == j)%:R) => x y z t u.
  by field; rewrite gt_eqF.
apply: psdD; last by apply: psdZ => //; rewrite mulr_ge0.
apply: psdD; last by apply: psdZ => //; apply: psd_conj.
apply: psdD; apply: psdZ => //; last exact: psd_conj.
by rewrite eQ; apply: projector_below.
Qed.

Theorem residual_identity (F : realFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D : 'rV[F]_n)
    (Phi : 'M[F]_(n, d)) :
  let K1 := reward_kernel r R in
  let E := Phi *m Phi^T - K1 - g *: (P *m Phi *m (P *m Phi)^T) in
  let B := covariance D Phi in let L := lspe_matrix P g D Phi in
  L *m L^T = g *: (B *m pinv B
                   - pinv B *m Phi^T *m diag_mx D *m (K1 + E) *m (diag_mx D *m Phi *m pinv B))
  /\ (0 <= g -> spread r <= 2%:R * R -> forall e l, 0 <= e -> 0 < l ->
      psd (diag_mx D *m E *m diag_mx D + e *: diag_mx D) -> psd (B - l *: 1%:M) ->
      psd ((g * (1 + e / l)) *: 1%:M - L *m L^T)).
Proof.
move=> K1 E B L; split; last first.
  move=> g0 hR e l e0 l0 hE hB.
  by apply: (residual_bound (K1 := K1)) => //; apply: psd_reward_kernel.
have := @lspe_gram F n d P K1 g D Phi E erefl.
by rewrite regression_tr.
Qed.
