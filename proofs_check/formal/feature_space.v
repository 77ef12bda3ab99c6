(* KROPE inside the span of base features, in closed form from data: M = M1 + gamma A M A'. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain stein penrose reward_kernel lspe stability compression top_eigenpairs spectral
  powers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section SteinByRadius.
Variables (F : archiFieldType) (p : nat) (A : 'M[F]_p) (g : F).
Hypothesis rc : Num.real_closed_axiom F.
Hypotheses (g0 : 0 <= g) (rho : forall a b, complex_eigenvalue A a b -> g * (a ^+ 2 + b ^+ 2) < 1).

(* the powers of sqrt(g) A vanish *)
Lemma scaled_powers : exists h, [/\ 0 <= h, h ^+ 2 = g
  & forall v : 'rV[F]_p, vanishes (fun t => supnorm (iter t (mulmxr (h *: A)) v))].
Proof.
have [h h0 hh] : exists2 h : F, 0 <= h & h ^+ 2 = g.
  by exists (@Num.sqrt (RcfType F rc) g); [apply: (@sqrtr_ge0 (RcfType F rc)) | apply: (@sqr_sqrtr (RcfType F rc))].
exists h; split=> // v; apply: powers_vanish => // a b [u [w [nz eu ew]]]; rewrite expr1n.
have [z | hn] := eqVneq h 0.
  rewrite z scale0r !mulmx0 in eu ew.
  have s1 : (1%:M)^T = 1%:M :> 'M[F]_p by rewrite trmx1.
  have e : (a ^+ 2 + b ^+ 2) * (sqnorm u + sqnorm w) = 0.
    have z0 : sqnorm (0 : 'rV[F]_p) = 0 by rewrite /sqnorm /form !mul0mx mxE.
    have : sqnorm (a *: u - b *: w) + sqnorm (a *: w + b *: u) = 0 by rewrite -eu -ew z0 addr0.
    rewrite -scaleNr /sqnorm !form_sq // (form_sym w u s1) => <-.
    by move: (form _ u u) (form _ u w) (form _ w w) => x y t; ring.
  have pos : sqnorm u + sqnorm w != 0.
    rewrite gt_eqF //; case/orP: nz => nz; first by rewrite ltr_paddr ?sqnorm_ge0 // sqnorm_gt0.
    by rewrite ltr_paddl ?sqnorm_ge0 // sqnorm_gt0.
  by move/eqP: e; rewrite mulf_eq0 (negbTE pos) orbF => /eqP ->; apply: ltr01.
have := @rho (a / h) (b / h); rewrite -hh mulrDr !exprMn exprVn !(mulrCA (h ^+ 2)) mulfV ?expf_neq0 // !mulr1.
apply; exists u, w; split=> //; apply: (scalerI hn).
  by rewrite scalerBr !scalerA !(mulrC h) !divfK // -eu -scalemxAr.
by rewrite scalerDr !scalerA !(mulrC h) !divfK // -ew -scalemxAr.
Qed.

Lemma iter_scaled h t (v : 'rV[F]_p) : iter t (mulmxr (h *: A)) v = h ^+ t *: iter t (mulmxr A) v.
Proof.
elim: t => [|t IH] /=; first by rewrite expr0 scale1r.
by rewrite IH -scalemxAl -scalemxAr scalerA exprSr.
Qed.

(* forms of what is only pushed by A vanish *)
Lemma pushed_form (X : 'M[F]_p) v w : vanishes (fun t => `|g ^+ t * form X (iter t (mulmxr A) v) (iter t (mulmxr A) w)|).
Proof.
have [h [h0 hh van]] := scaled_powers; pose B := supnorm X * p%:R ^+ 2.
have bound (x y : 'rV[F]_p) : `|form X x y| <= supnorm X * (p%:R * supnorm x) * (p%:R * supnorm y).
  rewrite /form mxE; apply: le_trans (ler_norm_sum _ _ _) _.
  apply: le_trans (_ : \sum_(j < p) supnorm X * (p%:R * supnorm x) * supnorm y <= _); last first.
    by rewrite sumr_const card_ord -mulr_natl mulrCA.
  apply: ler_sum => j _; rewrite normrM ler_pmul // ?[y^T _ _]mxE ?le_supnorm //.
  rewrite mxE; apply: le_trans (ler_norm_sum _ _ _) _.
  apply: le_trans (_ : \sum_(i < p) supnorm X * supnorm x <= _); last first.
    by rewrite sumr_const card_ord -mulr_natl mulrCA.
  by apply: ler_sum => i _; rewrite normrM mulrC ler_pmul // le_supnorm.
have van2 : vanishes (fun t => supnorm (iter t (mulmxr (h *: A)) v) * supnorm (iter t (mulmxr (h *: A)) w)).
  move=> e e0; have [N1 h1] := van v e e0; have [N2 h2] := van w 1 ltr01; exists (maxn N1 N2) => t.
  rewrite geq_max => /andP[/h1 l1 /h2 l2]; rewrite -[e]mulr1; apply: ler_pmul => //; exact: supnorm_ge0.
have B0 : 0 <= B by rewrite mulr_ge0 ?supnorm_ge0 // exprn_ge0 // ler0n.
apply: vanishes_le (vanishes_scale B0 van2) => t.
have -> : g ^+ t * form X (iter t (mulmxr A) v) (iter t (mulmxr A) w)
    = form X (iter t (mulmxr (h *: A)) v) (iter t (mulmxr (h *: A)) w).
  by rewrite !iter_scaled formZl formZr mulrA -hh -exprM mulnC exprM expr2.
apply: le_trans (bound _ _) _; rewrite /B le_eqVlt; apply/orP; left; apply/eqP.
by move: (supnorm X) (supnorm _) (supnorm _) (p%:R : F) => x y z s; ring.
Qed.

Lemma rest_form X v w : stein_rest A g X = 0 ->
  forall t, form X v w = g ^+ t * form X (iter t (mulmxr A) v) (iter t (mulmxr A) w).
Proof.
move=> e; have step x y : form X x y = g * form X (x *m A) (y *m A).
  by move/eqP: e; rewrite subr_eq0 => /eqP {1}->; rewrite formZ form_conj.
by elim=> [|t IH]; [rewrite expr0 mul1r | rewrite IH step exprSr -mulrA].
Qed.

Lemma small_zero (a : F) : vanishes (fun=> `|a|) -> a = 0.
Proof.
move=> h; apply/eqP; rewrite -normr_le0 leNgt; apply/negP=> pos.
have e0 : 0 < `|a| / 2%:R by rewrite divr_gt0 ?ltr0n.
have [N hN] := h _ e0; have := hN N (leqnn N); rewrite leNgt => /negP; apply.
by rewrite ltr_pdivr_mulr ?ltr0n // ltr_pmulr // ltr1n.
Qed.

Lemma rest_injective X : stein_rest A g X = 0 -> X = 0.
Proof.
move=> e; apply/matrixP=> i j; rewrite mxE -form_delta; apply: small_zero.
apply: vanishes_le (pushed_form X (delta_mx 0 i) (delta_mx 0 j)) => t.
by rewrite -(rest_form _ _ e).
Qed.

Lemma radius_solution M1 : let M := stein_solution A g M1 in
  M = M1 + g *: (A *m M *m A^T) /\ forall m, m = M1 + g *: (A *m m *m A^T) -> m = M.
Proof.
have inj u v : stein_rest A g u = stein_rest A g v -> u = v.
  move=> e; apply/eqP; rewrite -subr_eq0; apply/eqP/rest_injective.
  have -> : stein_rest A g (u - v) = stein_rest A g u - stein_rest A g v by exact: (raddfB (stein_rest_linear A g)).
  by rewrite e subrr.
have ker : lker (linfun (stein_rest A g)) == 0%VS by apply/lker0P=> u v; rewrite !lfunE /=; apply: inj.
move=> M; have eM : stein_rest A g M = M1 by have := lker0_lfunVK ker M1; rewrite lfunE.
split; first exact/stein_restP.
by move=> m em; apply: inj; rewrite eM; apply/stein_restP.
Qed.

Lemma radius_psd M1 M : psd M1 -> M = M1 + g *: (A *m M *m A^T) -> psd M.
Proof.
move=> p1 eM v; have step x : g * form M (x *m A) (x *m A) <= form M x x.
  by rewrite [X in _ <= X](_ : form M x x = form M1 x x + g * form M (x *m A) (x *m A)) ?ler_addr ?p1 // {1}eM formD formZ form_conj.
have below t : g ^+ t * form M (iter t (mulmxr A) v) (iter t (mulmxr A) v) <= form M v v.
  elim: t => [|t IH]; first by rewrite expr0 mul1r.
  by apply: le_trans IH; rewrite exprSr -mulrA; apply: ler_wpmul2l; [apply: exprn_ge0 | apply: step].
rewrite leNgt; apply/negP=> neg; have e0 : 0 < - form M v v / 2%:R by rewrite divr_gt0 ?ltr0n ?oppr_gt0.
have [N hN] := pushed_form M v v e0; have := hN N (leqnn N); rewrite ler_norml => /andP[lo _].
have := le_trans lo (below N); rewrite leNgt => /negP; apply.
by rewrite mulNr opprK ltr_pdivl_mulr ?ltr0n // mulr_natr mulr2n gtr_addl.
Qed.
End SteinByRadius.

(* Base features Psi of the data pairs and Psi_next of their successors, the same in A and in LSPE; G = Psi' D Psi
   invertible, g rho(A)^2 < 1. Then M exists, is unique and positive semidefinite, and the features Psi F of any
   eigenpairs of S M S, S the root of G, have norm2(L_d) <= sqrt(gamma) on this very data set. The root and the top d
   eigenpairs exist for every d up to the rank *)
Theorem feature_space_krope (F : archiFieldType) n p (Psi Psi_next : 'M[F]_(n, p)) (D : 'rV[F]_n) (r : 'cV[F]_n)
    (R g : F) :
  Num.real_closed_axiom F -> 0 <= g < 1 -> spread r <= 2%:R * R -> weights D ->
  let G := Psi^T *m diag_mx D *m Psi in
  let A := invmx G *m Psi^T *m diag_mx D *m Psi_next in
  let M1 := invmx G *m Psi^T *m diag_mx D *m reward_kernel r R *m diag_mx D *m Psi *m invmx G in
  G \in unitmx -> (forall a b, complex_eigenvalue A a b -> g * (a ^+ 2 + b ^+ 2) < 1) ->
  exists M, [/\ M = M1 + g *: (A *m M *m A^T), forall m, m = M1 + g *: (A *m m *m A^T) -> m = M, M^T = M /\ psd M,
    forall S : 'M[F]_p, S^T = S -> S *m S = G ->
      forall d (U : 'M[F]_(p, d)) (lam mu : 'rV[F]_d), eigenpairs (S *m M *m S) U lam mu ->
      let Phi := Psi *m (M *m S *m U *m diag_mx mu) in let Phi_next := Psi_next *m (M *m S *m U *m diag_mx mu) in
      let L := g *: (pinv (Phi^T *m diag_mx D *m Phi) *m Phi^T *m diag_mx D *m Phi_next) in
      forall v, colnorm (L *m v) <= g * colnorm v
  & exists S : 'M[F]_p, [/\ S^T = S, psd S, S *m S = G & forall d, (d <= \rank (S *m M *m S))%N ->
      exists (U : 'M[F]_(p, d)) (lam mu : 'rV[F]_d), top_eigenpairs (S *m M *m S) U lam mu]].
Proof.
move=> rc /andP[g0 g1] hR wD G A M1 uG rho.
have sG : G^T = G by rewrite /G !trmx_mul trmxK tr_diag_mx mulmxA.
have sGi : (invmx G)^T = invmx G by rewrite trmx_inv sG.
have eM1 : M1 = (invmx G *m Psi^T *m diag_mx D) *m reward_kernel r R *m (invmx G *m Psi^T *m diag_mx D)^T.
  by rewrite /M1 !trmx_mul trmxK tr_diag_mx sGi !mulmxA.
have p1 : psd M1 by rewrite eM1; apply/psd_conj/psd_reward_kernel.
have s1 : M1^T = M1.
  rewrite eM1; move: (invmx G *m Psi^T *m diag_mx D) => X.
  by rewrite !trmx_mul trmxK reward_kernel_sym mulmxA.
have GA : G *m A = Psi^T *m diag_mx D *m Psi_next by rewrite /A !mulmxA mulmxV // mul1mx.
clearbody M1 A; have [eM uniq] := radius_solution rc g0 rho M1; set M := stein_solution A g M1 in eM uniq.
have sM : M^T = M.
  by apply: uniq; rewrite {1}eM linearD linearZ /= s1 !trmx_mul trmxK mulmxA.
have pM : psd M := radius_psd rc g0 rho p1 eM.
exists M; split=> //.
  move=> S sS SS d U lam mu [oU eU muE] Phi Phi_next L v; apply: colnorm_mul => //.
  pose W := diag_mx mu *m U^T *m S; pose Fd := M *m S *m U *m diag_mx mu.
  have WMW : W *m M *m W^T = 1%:M by apply: (eigen_WKW sM sS oU eU muE).
  have eF : Fd = M *m W^T by apply: eigen_features.
  have reg : pinv (Fd^T *m (S *m S) *m Fd) *m Fd^T *m (S *m S) = W by apply: (eigen_regression sM sS oU eU muE).
  have cov : Phi^T *m diag_mx D *m Phi = Fd^T *m G *m Fd by rewrite /Phi /G trmx_mul !mulmxA.
  have cross : Phi^T *m diag_mx D *m Phi_next = Fd^T *m G *m A *m Fd.
    by rewrite -(mulmxA _ G A) GA /Phi /Phi_next trmx_mul -/Fd !mulmxA.
  have -> : L = g *: (W *m A *m (M *m W^T)).
    rewrite /L; congr (_ *: _); rewrite -eF -reg SS cov.
    move: cross; clearbody Fd Phi Phi_next G => cross.
    by rewrite -(mulmxA (pinv _)) -(mulmxA (pinv _)) cross !mulmxA.
  exact: (compression_norm sM pM p1 g0 eM WMW).
have pG : psd G.
  move=> v; have -> : G = Psi^T *m diag_mx D *m (Psi^T)^T by rewrite trmxK.
  rewrite form_conj /form mul_mx_diag mxE; apply: sumr_ge0 => i _.
  by rewrite mxE [_^T i 0]mxE mulrAC mulr_ge0 // -expr2 sqr_ge0.
have [S [sS pS SS]] := @psd_root (RcfType F rc) p G sG pG; exists S; split=> // d hd.
apply: (@top_eigenpairs_exist (RcfType F rc) p d (S *m M *m S)) => //.
  by rewrite !trmx_mul sS sM mulmxA.
by rewrite -{2}sS; apply: psd_conj.
Qed.
