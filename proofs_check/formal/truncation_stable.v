(* The two statements about truncated features. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain stein penrose reward_kernel kernel lspe stability invariant rkhs compression
  spectral top_eigenpairs truncation top_feature.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* any eigenpairs of D^1/2 K D^1/2, s = D^1/2, with any weights, keep norm2(L_d) <= sqrt(gamma); the top one alone
   keeps |L_1|^2 <= gamma (1 + gamma) / 2 when R is at least the range; and over a real closed field the top d
   eigenpairs exist for every d up to the rank *)
Theorem truncation_stable (F : archiFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D s : 'rV[F]_n) :
  substochastic P -> 0 <= g < 1 -> spread r <= 2%:R * R -> root_of D s ->
  let K := krope_kernel P r R g in
  [/\ forall d (U : 'M[F]_(n, d)) (lam mu : 'rV[F]_d), eigenpairs (weighted_kernel K s) U lam mu ->
        forall v, colnorm (lspe_matrix P g D (truncated_features K s U mu) *m v) <= g * colnorm v,
      forall (U : 'cV[F]_n) (lam mu : 'rV[F]_1), spread r <= R -> top_eigenpairs (weighted_kernel K s) U lam mu ->
        forall v, colnorm (lspe_matrix P g D (truncated_features K s U mu) *m v) <= g * (1 + g) / 2%:R * colnorm v
    & Num.real_closed_axiom F -> forall d, (d <= \rank (weighted_kernel K s))%N ->
        exists (U : 'M[F]_(n, d)) (lam mu : 'rV[F]_d), top_eigenpairs (weighted_kernel K s) U lam mu].
Proof.
move=> sP /andP[g0 g1] hR sD K.
have R0 : 0 <= R by have := le_trans (spread_ge0 r) hR; rewrite pmulr_rge0 ?ltr0n.
have sK : K^T = K := krope_kernel_sym _ _ sP g0 g1.
have pK : psd K := krope_kernel_psd sP g0 g1 hR.
split.
- by move=> d U lam mu pairs v; apply: colnorm_mul => //; apply: (trunc_norm sP g0 g1 hR sD pairs).
- move=> U lam mu hR1 top v; have pairs : eigenpairs (weighted_kernel K s) U lam mu by case: top.
  have g2 : 0 <= g * (1 + g) / 2%:R by rewrite divr_ge0 ?ler0n // mulr_ge0 // addr_ge0 ?ler01.
  apply: colnorm_mul => //; set L := lspe_matrix _ _ _ _.
  have -> : g * (1 + g) / 2%:R = g * (1 - (1 - g) / 2%:R) by field.
  apply: (trunc_norm_strict sP g0 g1 hR sD pairs) => w.
  set W := diag_mx mu *m U^T *m diag_mx s.
  have WKW : W *m K *m W^T = 1%:M := trunc_WKW sP g0 g1 pairs.
  pose a := w 0 0 * mu 0 0.
  have eW : w *m W = a *: (U^T *m diag_mx s).
    apply/rowP=> j; rewrite /W mxE big_ord1 -mulmxA mul_diag_mx !mxE /a mulrA //.
  rewrite formD formN formZ subr_ge0 form_conj eW formZl formZr.
  have -> : form 1%:M w w = form K (w *m W) (w *m W) by rewrite -form_conj WKW.
  have := top_share sP g0 g1 R0 hR1 sD top erefl; rewrite eW formZl formZr -/K.
  move: (form K _ _) (form (reward_kernel r R) _ _) ((1 - g) / 2%:R) => x y z h.
  have -> : z * (a * (a * x)) = a ^+ 2 * (z * x) by clearbody a; ring.
  have -> : a * (a * y) = a ^+ 2 * y by clearbody a; ring.
  by rewrite ler_wpmul2l ?sqr_ge0.
move=> rc d hd; apply: (@top_eigenpairs_exist (RcfType F rc) n d (weighted_kernel K s)) => //.
  by rewrite /weighted_kernel !trmx_mul tr_diag_mx sK mulmxA.
by rewrite /weighted_kernel -[X in _ *m X](tr_diag_mx s); apply: psd_conj.
Qed.

(* q lies in the range of K *)
Lemma values_in_range (F : archiFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) :
  substochastic P -> 0 <= g -> g < 1 -> spread r <= 2%:R * R -> proper_range r R ->
  exists a, values P r g = krope_kernel P r R g *m a.
Proof.
move=> sP g0 g1 hR pR; set q := values P r g; set K := krope_kernel P r R g.
have [c ec] : exists c, r = K *m c by apply: (kernel_reward_function sP g0 g1 hR).
have eq : q = r + g *: (P *m q) by rewrite {1}/q values_fixed.
have [z | gn] := eqVneq g 0; first by exists c; rewrite eq z scale0r addr0.
have gp : 0 < g by rewrite lt_neqAle eq_sym gn.
apply: span_by_null => v vK; apply/matrixP=> i j; rewrite !ord1 [RHS]mxE; apply/eqP; rewrite -normr_le0 -oppr_ge0.
apply: (geom_ge0 g0 g1 (C := norm1 v * supnorm q)) => [|N]; first by rewrite mulr_ge0 ?norm1_ge0 ?supnorm_ge0.
rewrite ler_opp2; elim: N v vK => [|N IH] v vK.
  rewrite expr0 mul1r mxE; apply: le_trans (ler_norm_sum _ _ _) _; rewrite /norm1 mulr_suml.
  by apply: ler_sum => k _; rewrite normrM ler_wpmul2l // le_supnorm.
have vPK : v *m P *m K = 0 by have [_ /(_ gp)] := kernel_null sP g0 g1 hR vK.
have -> : (v *m q) 0 0 = g * (v *m P *m q) 0 0.
  by rewrite {1}eq mulmxDr ec mulmxA vK mul0mx add0r -scalemxAr mxE mulmxA.
rewrite normrM ger0_norm // exprS -mulrA ler_wpmul2l //; apply: le_trans (IH _ vPK) _.
by rewrite ler_wpmul2l ?exprn_ge0 // ler_wpmul2r ?supnorm_ge0 // norm1_mulP.
Qed.

(* LSPE on the features of any eigenpairs: its limit errs by at most 1/sqrt(1 - gamma) times what any function of their
   span (so the best, q_d) errs in H, and by 1/(1 - gamma) times it at every pair *)
Theorem truncated_lspe_error (F : archiFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D s : 'rV[F]_n)
    (U : 'M[F]_(n, d)) (lam mu : 'rV[F]_d) :
  substochastic P -> 0 <= g < 1 -> 0 <= R -> proper_range r R -> root_of D s ->
  let K := krope_kernel P r R g in
  eigenpairs (weighted_kernel K s) U lam mu ->
  let Phi := truncated_features K s U mu in let q := values P r g in
  (exists limit, limit = lspe_step P r g D Phi limit)
  /\ forall limit, limit = lspe_step P r g D Phi limit -> let error := q - Phi *m limit in
     forall theta : 'cV[F]_d,
       (1 - g) * rkhs_norm K error <= rkhs_norm K (q - Phi *m theta)
       /\ forall x, (1 - g) ^+ 2 * error x 0 ^+ 2 <= rkhs_norm K (q - Phi *m theta).
Proof.
move=> sP /andP[g0 g1] R0 pR sD K pairs Phi q; have hR := proper_range_ge R0 pR.
have sK : K^T = K := krope_kernel_sym _ _ sP g0 g1.
have pK : psd K := krope_kernel_psd sP g0 g1 hR.
set W := diag_mx mu *m U^T *m diag_mx s.
have WKW : W *m K *m W^T = 1%:M := trunc_WKW sP g0 g1 pairs.
have ePhi : Phi = K *m W^T by apply: trunc_features.
have eW : regression D Phi = W := trunc_regression sP g0 g1 sD pairs.
have q0 : 0 < 1 - g by rewrite subr_gt0.
have [t et] := affine_fixed (lspe_offset r D Phi) g0 g1 (trunc_norm sP g0 g1 hR sD pairs).
split; first by exists t.
move=> {t et} limit elim error theta; clearbody W Phi.
have [a ea] : exists a, q = K *m a by apply: values_in_range.
pose Kn (x : 'cV[F]_n) := form K x^T x^T; pose b := a - W^T *m (W *m q).
have KnE (x : 'cV[F]_n) : rkhs_norm K (K *m x) = Kn x := rkhs_normE sK x.
have WKb : W *m K *m b = 0 by rewrite mulmxBr mulmxA -(mulmxA W) -ea WKW mul1mx subrr.
have split_norm eta : Kn (a - W^T *m eta) = Kn b + colnorm (W *m q - eta).
  have -> : a - W^T *m eta = b + W^T *m (W *m q - eta) by rewrite /b mulmxBr addrA subrK.
  set y := W *m q - eta; have := form_sq b^T (W^T *m y)^T 1 1 sK; rewrite !scale1r => fs.
  have cross : form K b^T (W^T *m y)^T = 0.
    by rewrite form_sym // /form trmxK trmx_mul trmxK -!mulmxA (mulmxA W) WKb mulmx0 mxE.
  rewrite /Kn linearD /= fs cross !mulr0 addr0 expr1n !mul1r; congr (_ + _).
  by rewrite /colnorm /sqnorm -WKW form_conj trmx_mul trmxK.
have approx eta : q - Phi *m eta = K *m (a - W^T *m eta) by rewrite mulmxBr -ea ePhi mulmxA.
set c := a - W^T *m limit; have eerr : error = K *m c by apply: approx.
have ey : W *m q - limit = g *: (W *m (P *m (K *m c))).
  rewrite -eerr {1}/q values_fixed // -/q {1}elim /bellman /lspe_step /lspe_offset /lspe_matrix eW.
  rewrite mulmxDr opprD addrACA subrr add0r -scalemxAr -scalemxAl -scalerBr -!mulmxA -!mulmxBr //.
have step x : g * form K (x *m P) (x *m P) <= form K x x.
  by rewrite [X in _ <= X](kernel_form r R sP g0 g1) ler_addr psd_reward_kernel.
have push : colnorm (W *m q - limit) <= g * Kn c.
  set y := W *m q - limit; have y2 : colnorm y = g * form K (y^T *m W *m P) c^T.
    rewrite /colnorm /sqnorm /form mulmx1 trmxK {2}/y ey trmxK -scalemxAr mxE !mulmxA //.
  have cs := cauchy_schwarz (y^T *m W *m P) c^T sK pK.
  have eyW : form K (y^T *m W) (y^T *m W) = colnorm y by rewrite -form_conj WKW.
  have yy : colnorm y ^+ 2 <= g * colnorm y * Kn c.
    rewrite {1}y2 exprMn expr2 -mulrA; apply: le_trans (ler_wpmul2l g0 (ler_wpmul2l g0 cs)) _.
    rewrite -mulrA ler_wpmul2l // mulrA ler_wpmul2r // -eyW; exact: step.
  have := sqnorm_ge0 y^T; rewrite -/(colnorm y) le_eqVlt => /orP[/eqP <- | yp]; first by apply: mulr_ge0 => //; apply: pK.
  by rewrite -(ler_pmul2r yp) -expr2 mulrAC.
have best : (1 - g) * Kn c <= Kn (a - W^T *m theta).
  rewrite split_norm; apply: le_trans (_ : Kn b <= _); last by rewrite ler_addl sqnorm_ge0.
  have ec : Kn c = Kn b + colnorm (W *m q - limit) by apply: split_norm.
  by rewrite mulrBl mul1r ler_subl_addr {1}ec ler_add2l; exact: push.
rewrite approx KnE eerr KnE; split=> // x; apply: le_trans best.
have -> : (K *m c) x 0 = form K (delta_mx 0 x) c^T by rewrite /form trmxK -mulmxA -rowE [RHS]mxE.
rewrite expr2 -mulrA; apply: ler_wpmul2l; first exact: ltW.
apply: le_trans (ler_wpmul2l (ltW q0) (cauchy_schwarz _ _ sK pK)) _.
rewrite form_delta mulrA ler_pimull //; apply: le_trans (ler_wpmul2l (ltW q0) (kernel_le r sP g0 g1 R0 x x)) _.
by rewrite mulfV ?gt_eqF.
Qed.
