(* As many independent features as pairs, data everywhere: LSPE is stable, whatever the number of columns. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain penrose lspe eigen_columns arith.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Iterates.
Variables (F : realFieldType) (n d : nat).
Variables (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)).
Let L := lspe_matrix P g D Phi.

Lemma lspe_iter_diff t s u :
  iter t (lspe_step P r g D Phi) s - iter t (lspe_step P r g D Phi) u = iter t (mulmx L) (s - u).
Proof.
elim: t => [|t IH] //=; rewrite -IH mulmxBr /lspe_step opprD addrACA subrr add0r //.
Qed.

Lemma lspe_iter_fixed t s : s = lspe_step P r g D Phi s -> iter t (lspe_step P r g D Phi) s = s.
Proof. by move=> e; elim: t => //= t ->. Qed.

Lemma lspe_limit_fixed s limit :
  s = lspe_step P r g D Phi s -> lspe_limit P r g D Phi limit -> limit = s.
Proof.
move=> e h; apply/eqP; rewrite eq_sym -subr_eq0; apply/eqP/supnorm_eq0; rewrite leNgt; apply/negP=> pos.
have [N hN] := h s (supnorm (s - limit) / 2%:R) (divr_gt0 pos (ltr0n _ 2)).
by have := hN N (leqnn N); rewrite lspe_iter_fixed //; move: pos; lra.
Qed.

(* an eigenvalue of modulus 1 or more keeps two starts apart *)
Lemma eigenvector_unstable l (v : 'cV[F]_d) :
  v != 0 -> L *m v = l *: v -> 1 <= `|l| -> ~ lspe_stable P r g D Phi.
Proof.
move=> v0 ev l1 [limit h].
have pos : 0 < supnorm v.
  rewrite lt_neqAle supnorm_ge0 andbT eq_sym; apply: contra v0 => /eqP e.
  by apply/eqP/supnorm_eq0; rewrite e.
have e0 : 0 < supnorm v / 3%:R by rewrite divr_gt0 ?ltr0n.
have [N1 h1] := h v _ e0; have [N2 h2] := h 0 _ e0; pose t := maxn N1 N2.
have {h1} h1 := h1 t (leq_maxl _ _); have {h2} h2 := h2 t (leq_maxr _ _).
have pow s : iter s (mulmx L) v = l ^+ s *: v.
  by elim: s => [|s IH] /=; rewrite ?scale1r // IH -scalemxAr ev scalerA -exprSr.
have := lspe_iter_diff t v 0; rewrite subr0 pow => e.
have [i [j sv]] : exists i j, supnorm v = `|v i j|.
  by have [z | //] := supnorm_attained v; move: pos; rewrite z ltxx.
have big : supnorm v <= supnorm (l ^+ t *: v).
  apply: le_trans (le_supnorm _ i j); rewrite mxE normrM -sv ler_pemull ?supnorm_ge0 //.
  by rewrite normrX exprn_ege1.
have small : supnorm (l ^+ t *: v) <= supnorm v / 3%:R + supnorm v / 3%:R.
  rewrite -e -[_ - _](subrKA limit); apply: le_trans (supnormD _ _) _; apply: ler_add => //.
  by rewrite -supnormN opprB.
by move: big small pos; lra.
Qed.
End Iterates.

Section FullRank.
Variables (F : archiFieldType) (n d : nat).
Variables (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1).
Hypotheses (D0 : forall x, 0 < D 0 x) (full : \rank Phi = n).
Let B := covariance D Phi.
Let W := regression D Phi.
Let L := lspe_matrix P g D Phi.

Let free : row_free Phi.
Proof. by apply/eqP. Qed.

(* the D-regression onto all of R^X is the identity *)
Lemma full_rank_regression : Phi *m W = 1%:M.
Proof.
have [e _ _ _] := pinvP B.
have unitD : diag_mx D \in unitmx.
  by rewrite unitmxE det_diag unitfE; apply/prodf_neq0 => i _; rewrite gt_eqF.
have PB : Phi *m pinv B *m B = Phi.
  have h : (Phi *m pinv B *m B - Phi)^T *m diag_mx D *m Phi = 0.
    have : B *m pinv B *m B - B = 0 by rewrite e subrr.
    move/(congr1 trmx); rewrite trmx0 {1 4}/B /covariance -!(mulmxA _ Phi) -(mulmxA Phi^T).
    rewrite -!mulmxA -mulmxBr -mulmxBr trmx_mul trmx_mul trmxK tr_diag_mx.
    by rewrite !mulmxA.
  have {h} /(row_free_inj free) h : (Phi *m pinv B *m B - Phi)^T *m diag_mx D *m Phi = 0 *m Phi.
    by rewrite h mul0mx.
  have : (Phi *m pinv B *m B - Phi)^T = 0.
    by rewrite -[LHS](mulmxK unitD) h mul0mx.
  by move/(congr1 trmx); rewrite trmxK trmx0 => /eqP; rewrite subr_eq0 => /eqP.
apply: (row_free_inj free); rewrite mul1mx -[RHS]PB /W /regression -/B.
by rewrite {3}/B /covariance !mulmxA.
Qed.

Lemma full_rank_intertwined : Phi *m L = (g *: P) *m Phi.
Proof.
rewrite /L /lspe_matrix -/W -scalemxAr 2!(mulmxA Phi) full_rank_regression mul1mx.
exact: scalemxAl.
Qed.

Lemma lspe_features : L = W *m ((g *: P) *m Phi).
Proof. by rewrite /L /lspe_matrix -/W -scalemxAl -scalemxAr (mulmxA W). Qed.

(* the non-zero eigenvalues of L are those of gamma P *)
Lemma full_rank_spectrum a b : (a != 0) || (b != 0) ->
  complex_eigenvalue L a b <-> complex_eigenvalue (g *: P) a b.
Proof.
move=> nz; split=> [/eigenvalue_columns[x [y [xy ex ey]]] | [u [w [uw eu ew]]]]; last first.
  exists (u *m Phi), (w *m Phi); split.
  - apply: contraLR uw; rewrite !negb_or !negbK => /andP[/eqP zu /eqP zw].
    by rewrite -!(mulmx_free_eq0 _ free) zu zw eqxx.
  - by rewrite -mulmxA full_rank_intertwined mulmxA eu mulmxBl -!scalemxAl.
  - by rewrite -mulmxA full_rank_intertwined mulmxA ew mulmxDl -!scalemxAl.
apply/eigenvalue_columns; exists (Phi *m x), (Phi *m y); split.
- apply: contraLR nz; rewrite !negb_or !negbK => /andP[/eqP zx /eqP zy].
  have Lx : L *m x = 0 by rewrite lspe_features -(mulmxA W) -(mulmxA _ Phi) zx !mulmx0.
  have Ly : L *m y = 0 by rewrite lspe_features -(mulmxA W) -(mulmxA _ Phi) zy !mulmx0.
  move: ex ey; rewrite Lx Ly => ex ey.
  have hx : (a ^+ 2 + b ^+ 2) *: x = 0.
    have : a *: (a *: x + b *: y) - b *: (a *: y - b *: x) = 0 by rewrite -ex -ey !scaler0 subr0.
    by move=> <-; apply/colP=> i; rewrite !mxE; ring.
  have hy : (a ^+ 2 + b ^+ 2) *: y = 0.
    have : b *: (a *: x + b *: y) + a *: (a *: y - b *: x) = 0 by rewrite -ex -ey !scaler0 addr0.
    by move=> <-; apply/colP=> i; rewrite !mxE; ring.
  have z : a ^+ 2 + b ^+ 2 == 0.
    case/orP: xy => nzv; [move/eqP: hx | move/eqP: hy]; by rewrite scaler_eq0 (negbTE nzv) orbF.
  by move: z; rewrite paddr_eq0 ?sqr_ge0 // !sqrf_eq0.
- by rewrite mulmxA -full_rank_intertwined -mulmxA ex mulmxDr -!scalemxAr.
- by rewrite mulmxA -full_rank_intertwined -mulmxA ey mulmxBr -!scalemxAr.
Qed.

Lemma full_rank_radius : radius_le L g.
Proof.
move=> a b; have [nz | ] := boolP ((a != 0) || (b != 0)); last first.
  by rewrite negb_or !negbK => /andP[/eqP -> /eqP ->] _; rewrite expr0n addr0 sqr_ge0.
move/(full_rank_spectrum nz)/eigenvalue_columns=> [x [y [xy ex ey]]].
have [z | gz] := eqVneq g 0.
  move: ex ey; rewrite z scale0r !mul0mx => ex ey.
  suff : complex_eigenvalue (0 *: P) a b -> False.
    by case; apply/eigenvalue_columns; exists x, y; rewrite scale0r !mul0mx.
  case=> u [w [uw]]; rewrite scale0r !mulmx0 => eu ew.
  have hu : (a ^+ 2 + b ^+ 2) *: u = 0.
    have : a *: (a *: u - b *: w) + b *: (a *: w + b *: u) = 0 by rewrite -eu -ew !scaler0 addr0.
    by move=> <-; apply/rowP=> i; rewrite !mxE; ring.
  have hw : (a ^+ 2 + b ^+ 2) *: w = 0.
    have : a *: (a *: w + b *: u) - b *: (a *: u - b *: w) = 0 by rewrite -eu -ew !scaler0 subr0.
    by move=> <-; apply/rowP=> i; rewrite !mxE; ring.
  have : a ^+ 2 + b ^+ 2 == 0.
    case/orP: uw => nzv; [move/eqP: hu | move/eqP: hw]; by rewrite scaler_eq0 (negbTE nzv) orbF.
  by rewrite paddr_eq0 ?sqr_ge0 // !sqrf_eq0 => /andP[/eqP ha /eqP hb]; move: nz; rewrite ha hb eqxx.
have scale (v : 'cV[F]_n) : P *m v = g^-1 *: ((g *: P) *m v).
  by rewrite -scalemxAl scalerA mulVf // scale1r.
have gp : 0 < g by rewrite lt_neqAle eq_sym gz.
have := @substochastic_eigenvalue _ _ _ subP (a / g) (b / g) x y xy.
rewrite !scale ex ey !scalerDr scalerN !scalerA ![g^-1 * _]mulrC => /(_ erefl erefl).
by rewrite !expr_div_n -mulrDl ler_pdivr_mulr ?mul1r // exprn_gt0.
Qed.

Lemma full_rank_converges : lspe_limit P r g D Phi (W *m values P r g).
Proof.
set q := values P r g; have fixed : W *m q = lspe_step P r g D Phi (W *m q).
  rewrite /lspe_step -/L lspe_features -(mulmxA W) -(mulmxA _ Phi) (mulmxA Phi) full_rank_regression mul1mx.
  rewrite /lspe_offset -/W -mulmxDr {1}/q (values_fixed r subP g0 g1) -/q /bellman.
  by rewrite -scalemxAl.
move=> start e e0; set z := Phi *m (start - W *m q).
have power t : iter t.+1 (mulmx L) (start - W *m q) = W *m iter t.+1 (mulmx (g *: P)) z.
  elim: t => [|t IH]; first by rewrite /= {1}lspe_features -(mulmxA W) -(mulmxA _ Phi).
  rewrite iterS IH {1}lspe_features -(mulmxA W) -(mulmxA _ Phi) (mulmxA Phi) full_rank_regression mul1mx.
  by rewrite -iterS.
have decay t : supnorm (iter t (mulmx (g *: P)) z) <= g ^+ t * supnorm z.
  elim: t => [|t IH] /=; first by rewrite mul1r.
  rewrite -scalemxAl exprS -mulrA; apply: le_trans (supnormZ _ _) _.
  by rewrite ger0_norm // ler_wpmul2l //; apply: le_trans (supnorm_mulP _ subP) IH.
have [N hN] := geom_small g0 g1 (n%:R * supnorm W * supnorm z) e0.
exists N.+1 => t; case: t => [//|t]; rewrite ltnS => Nt.
rewrite -(lspe_iter_fixed t.+1 fixed) lspe_iter_diff power.
apply: le_trans (hN t.+1 (leqW Nt)).
apply: supnorm_le => [|i j].
  by rewrite !mulr_ge0 ?exprn_ge0 ?supnorm_ge0 ?ler0n.
set A := iter _ _ z; rewrite mxE; apply: le_trans (ler_norm_sum _ _ _) _.
apply: (@le_trans _ _ (\sum_(k < n) supnorm W * (g ^+ t.+1 * supnorm z))).
  apply: ler_sum => k _; rewrite normrM; apply: ler_pmul => //; first exact: le_supnorm.
  exact: le_trans (le_supnorm _ _ _) (decay _).
by rewrite sumr_const card_ord -mulr_natl le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
End FullRank.
