(* LSPE reaches one limit from every start iff the spectral radius of its matrix is below 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm lspe stability eigen_columns powers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* the iterates of the step converge to the limit from every start *)
Definition converges_to (F : realFieldType) d (step : 'cV[F]_d -> 'cV[F]_d) (limit : 'cV[F]_d) :=
  forall start e, 0 < e -> exists N, forall t, (N <= t)%N -> supnorm (iter t step start - limit) <= e.

Section Columns.
Variables (F : archiFieldType) (d : nat) (L : 'M[F]_d).

Lemma iter_columns t (c : 'cV[F]_d) : (iter t (mulmx L) c)^T = iter t (mulmxr L^T) c^T.
Proof. by elim: t => //= t IH; rewrite trmx_mul IH. Qed.

Lemma radius_tr c : radius_lt L c -> radius_lt L^T c.
Proof.
move=> h a b [u [w [nz eu ew]]]; apply: h; apply/eigenvalue_columns; exists w^T, u^T; split.
- by rewrite orbC !trmx_eq0.
- by apply: trmx_inj; rewrite trmx_mul trmxK ew linearD /= !linearZ /= !trmxK.
- by apply: trmx_inj; rewrite trmx_mul trmxK eu linearB /= !linearZ /= !trmxK.
Qed.

(* on the plane of an eigenvalue a + ib the squared length grows by a^2 + b^2 at each step *)
Lemma plane_grows (a b : F) (x y : 'cV[F]_d) t : 1 <= a ^+ 2 + b ^+ 2 ->
  L *m x = a *: x + b *: y -> L *m y = a *: y - b *: x ->
  colnorm x + colnorm y <= colnorm (iter t (mulmx L) x) + colnorm (iter t (mulmx L) y).
Proof.
move=> big ex ey; elim: t x y ex ey => // t IH x y ex ey; rewrite !iterSr.
have ex1 : L *m (L *m x) = a *: (L *m x) + b *: (L *m y) by rewrite {1}ex mulmxDr -!scalemxAr.
have ey1 : L *m (L *m y) = a *: (L *m y) - b *: (L *m x) by rewrite {1}ey mulmxBr -!scalemxAr.
apply: le_trans (IH _ _ ex1 ey1).
have h : 0 <= colnorm x + colnorm y by rewrite addr_ge0 ?sqnorm_ge0.
have s1 : (1%:M)^T = 1%:M :> 'M[F]_d by rewrite trmx1.
have -> : colnorm (L *m x) + colnorm (L *m y) = (a ^+ 2 + b ^+ 2) * (colnorm x + colnorm y).
  rewrite ex ey -scaleNr /colnorm !linearD /= !linearZ /= /sqnorm !form_sq // (form_sym y^T x^T s1).
  by move: (form _ x^T x^T) (form _ x^T y^T) (form _ y^T y^T) => p q s; ring.
by rewrite -{1}[_ + _]mul1r ler_wpmul2r.
Qed.

Lemma colnorm_le (v : 'cV[F]_d) : colnorm v <= d%:R * supnorm v ^+ 2.
Proof.
rewrite /colnorm sqnormE; have -> : d%:R * supnorm v ^+ 2 = \sum_(i < d) supnorm v ^+ 2.
  by rewrite sumr_const card_ord mulr_natl.
apply: ler_sum => i _.
by rewrite mxE -real_normK ?num_real // ler_expn2r ?nnegrE ?supnorm_ge0 // le_supnorm.
Qed.
End Columns.

Theorem prop_lspe_stability (F : archiFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n)
    (Phi : 'M[F]_(n, d)) :
  Num.real_closed_axiom F ->
  (exists limit, converges_to (lspe_step P r g D Phi) limit) <-> radius_lt (lspe_matrix P g D Phi) 1.
Proof.
move=> rc; set step := lspe_step P r g D Phi; set L := lspe_matrix P g D Phi.
have diff t x y : iter t step x - iter t step y = iter t (mulmx L) (x - y).
  by elim: t => //= t <-; rewrite mulmxBr /step /lspe_step opprD addrACA subrr add0r.
split=> [[limit lim] a b /eigenvalue_columns[x [y [nz ex ey]]] | rho].
  rewrite expr1n ltNge; apply/negP=> big.
  have van (z : 'cV[F]_d) : vanishes (fun t => supnorm (iter t (mulmx L) z)).
    have := vanishes_add (lim z) (lim 0); apply: vanishes_le => t.
    rewrite -[z in X in X <= _]subr0 -diff; set p := iter t step z; set q := iter t step 0.
    have -> : p - q = (p - limit) + - (q - limit) by rewrite opprB addrA subrK.
    by apply: le_trans (supnormD _ _) _; rewrite supnormN.
  have pos : 0 < colnorm x + colnorm y.
    by case/orP: nz => h; [apply: ltr_paddr | apply: ltr_paddl]; rewrite ?sqnorm_ge0 // sqnorm_gt0 // trmx_eq0.
  have sq (z : 'cV[F]_d) : vanishes (fun t => colnorm (iter t (mulmx L) z)).
    apply: vanishes_le (fun t => colnorm_le _) _.
    apply: vanishes_scale (ler0n _ _) _ => e e0.
    have [N hN] : exists N, forall t, (N <= t)%N -> supnorm (iter t (mulmx L) z) <= Order.min 1 e.
      by apply: van; rewrite lt_minr ltr01.
    exists N => t /hN; rewrite le_minr => /andP[h1 he]; rewrite expr2; apply: le_trans he.
    by rewrite ler_pimull ?supnorm_ge0.
  have e0 : 0 < (colnorm x + colnorm y) / 2%:R by rewrite divr_gt0 ?ltr0n.
  have [N hN] := vanishes_add (sq x) (sq y) e0; have := hN N (leqnn N).
  have := plane_grows N big ex ey => h1 h2; have := le_trans h1 h2; rewrite leNgt => /negP; apply.
  by rewrite ltr_pdivr_mulr ?ltr0n // ltr_pmulr // ltr1n.
have u : 1%:M - L \in unitmx.
  rewrite -row_free_unit; apply/inj_row_free => v hv; apply/eqP; apply/negPn/negP => nz.
  have := rho 1 0; rewrite expr1n expr0n addr0 ltxx => h; suff : false by []; apply: h.
  exists v, 0; rewrite nz mul0mx !scaler0 scale1r scale0r subr0 addr0; split=> //.
  by move: hv; rewrite mulmxBr mulmx1 => /eqP; rewrite subr_eq0 => /eqP.
pose limit := invmx (1%:M - L) *m lspe_offset r D Phi.
have fix_limit t : iter t step limit = limit.
  elim: t => //= t ->; rewrite /step /lspe_step -/L; have := mulKVmx u (lspe_offset r D Phi).
  by rewrite -/limit mulmxBl mul1mx => e; rewrite -{1}e subrK.
exists limit => start; rewrite -/(vanishes _).
apply: vanishes_le (powers_vanish rc (start - limit)^T (radius_tr rho)) => t.
by rewrite -iter_columns supnorm_tr -diff fix_limit.
Qed.
