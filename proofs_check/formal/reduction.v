(* Values and distances of k pairs are, in the limit, mixtures of those of small chains: each pair goes
   straight to an absorbing pair of the least or greatest reward, or ends. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain reward_kernel stein kernel series mico independent_bound arith.
From Krope Require Import reward_laws cramer convexity.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* What k pairs of a chain have: values q, expected discounted lifetimes, MICo distances U, and the
   discounted mass N of two independent copies lasting together. *)
Section Quantities.
Variables (F : realFieldType) (n k : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (x : 'I_k -> 'I_n).
Definition pairs_values : 'rV[F]_k := \row_i values P r g (x i) 0.
Definition pairs_lives : 'rV[F]_k := \row_i values P (const_mx 1) g (x i) 0.
Definition pairs_mico : 'M[F]_k := \matrix_(i, j) mico P r g (x i) (x j).
Definition pairs_mass : 'M[F]_k := \matrix_(i, j) stein_solution P g (const_mx 1) (x i) (x j).
End Quantities.

(* The same of the small chain: pair i has reward rho_i and ends with probability 1 - m_i, else goes to
   an absorbing pair, of reward lo with probability f_i and hi with m_i - f_i; w = gamma/(1-gamma). *)
Section Points.
Variables (F : realFieldType) (k : nat) (rho : 'rV[F]_k) (lo hi g : F) (f m : 'rV[F]_k).
Let w := g / (1 - g).
Definition point_values : 'rV[F]_k := \row_i (rho 0 i + w * (hi * m 0 i - (hi - lo) * f 0 i)).
Definition point_lives : 'rV[F]_k := \row_i (1 + w * m 0 i).
Definition point_mico : 'M[F]_k := \matrix_(i, j) (`|rho 0 i - rho 0 j|
  + w * (hi - lo) * (f 0 i * (m 0 j - f 0 j) + f 0 j * (m 0 i - f 0 i))).
Definition point_mass : 'M[F]_k := \matrix_(i, j) (1 + w * (m 0 i * m 0 j)).
End Points.

(* concavity in all quantities together *)
Definition concave4 (F : realFieldType) k (G : 'rV[F]_k -> 'rV[F]_k -> 'M[F]_k -> 'M[F]_k -> F) :=
  forall t, 0 <= t <= 1 -> forall q l U N q' l' U' N',
  t * G q l U N + (1 - t) * G q' l' U' N'
    <= G (t *: q + (1 - t) *: q') (t *: l + (1 - t) *: l') (t *: U + (1 - t) *: U') (t *: N + (1 - t) *: N').

Section Pack.
Variables (F : realFieldType) (k : nat).
Definition pack (q l : 'rV[F]_k) (U N : 'M[F]_k) : 'M[F]_((1 + 1) + (k + k), k) :=
  col_mx (col_mx q l) (col_mx U N).
Variable G : 'rV[F]_k -> 'rV[F]_k -> 'M[F]_k -> 'M[F]_k -> F.
Definition unpacked (A : 'M[F]_((1 + 1) + (k + k), k)) : F :=
  G (usubmx (usubmx A)) (dsubmx (usubmx A)) (usubmx (dsubmx A)) (dsubmx (dsubmx A)).

Lemma unpackedK q l U N : unpacked (pack q l U N) = G q l U N.
Proof. by rewrite /unpacked /pack !(col_mxKu, col_mxKd). Qed.

Lemma unpacked_concave : concave4 G -> concave unpacked.
Proof.
move=> cG t A B t01; rewrite /unpacked.
by rewrite !(linearP (usubmx_linear _ _ _ _)) !linearD !linearZ /=; apply: cG.
Qed.

Lemma pack_add q l U N q' l' U' N' :
  pack q l U N + pack q' l' U' N' = pack (q + q') (l + l') (U + U') (N + N').
Proof. by rewrite /pack !add_col_mx. Qed.

Lemma pack_scale c q l U N : c *: pack q l U N = pack (c *: q) (c *: l) (c *: U) (c *: N).
Proof. by rewrite /pack !scale_col_mx. Qed.

Lemma pack_sum (I : Type) (s : seq I) q l U N :
  \sum_(i <- s) pack (q i) (l i) (U i) (N i)
    = pack (\sum_(i <- s) q i) (\sum_(i <- s) l i) (\sum_(i <- s) U i) (\sum_(i <- s) N i).
Proof.
elim: s => [|i s IH]; first by rewrite !big_nil /pack !col_mx0.
by rewrite !big_cons IH pack_add.
Qed.

Lemma sub_row (A : 'rV[F]_k) (b : 'I_k -> F) i j : (A + (-1) *: \row_j b j) i j = A 0 j - b j.
Proof. by rewrite ord1 !mxE mulN1r. Qed.

Lemma sub_matrix (A : 'M[F]_k) (b : 'I_k -> 'I_k -> F) i j :
  (A + (-1) *: \matrix_(i, j) b i j) i j = A i j - b i j.
Proof. by rewrite !mxE mulN1r. Qed.

Lemma supnorm_col m1 m2 n (A : 'M[F]_(m1, n)) (B : 'M[F]_(m2, n)) c :
  0 <= c -> supnorm A <= c -> supnorm B <= c -> supnorm (col_mx A B) <= c.
Proof.
move=> c0 hA hB; apply: supnorm_le => // i j; rewrite mxE.
by case: split => l; [apply: le_trans (le_supnorm A l j) hA | apply: le_trans (le_supnorm B l j) hB].
Qed.
End Pack.

Section Errors.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n) (g : F).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1).

Lemma values_error (r : 'cV[F]_n) N x :
  `|\sum_(t < N) g ^+ t * iter t (mulmx P) r x 0 - values P r g x 0| <= g ^+ N * supnorm (values P r g).
Proof.
set v := values P r g.
have e M z : v z 0 = \sum_(t < M) g ^+ t * iter t (mulmx P) r z 0 + g ^+ M * iter M (mulmx P) v z 0.
  elim: M => [|M IH]; first by rewrite big_ord0 add0r mul1r.
  rewrite IH big_ord_recr /= -addrA; congr (_ + _); rewrite exprSr -mulrA -mulrDr; congr (_ * _).
  have {1}-> : v = r + g *: (P *m v) := values_fixed r subP g0 g1.
  have it m (A B : 'cV[F]_n) c : iter m (mulmx P) (A + c *: B) = iter m (mulmx P) A + c *: iter m (mulmx P) B.
    by elim: m => //= m ->; rewrite mulmxDr -scalemxAr.
  by rewrite it mxE [X in _ + X]mxE -iterSr.
rewrite (e N) opprD addrA subrr add0r normrN normrM ger0_norm ?exprn_ge0 // ler_wpmul2l ?exprn_ge0 //.
apply: le_trans (le_supnorm _ x 0) _; elim: N => //= N IH.
exact: le_trans (supnorm_mulP _ subP) IH.
Qed.

Lemma stein_error (A : 'M[F]_n) N x y :
  `|\sum_(t < N) g ^+ t * iter t (fun B => P *m B *m P^T) A x y - stein_solution P g A x y|
    <= g ^+ N * supnorm (stein_solution P g A).
Proof.
apply: le_trans (series_error subP g0 g1 A N).
set B := stein_partial _ _ _ _; set S := stein_solution _ _ _.
have -> : \sum_(t < N) g ^+ t * iter t (fun B => P *m B *m P^T) A x y - S x y = (B - S) x y.
  by rewrite mxE [(- S) x y]mxE summxE; congr (_ - _); apply: eq_bigr => t _; rewrite mxE.
exact: le_supnorm.
Qed.

Lemma together m x y : iter m (fun B => P *m B *m P^T) (const_mx 1) x y = lasting P m x 0 * lasting P m y 0.
Proof.
rewrite iter_sandwich /lasting !iter_mulmx mulr_suml; apply: eq_bigr => i _; rewrite mulr_sumr.
by apply: eq_bigr => j _; rewrite !mxE !mulr1.
Qed.

Lemma lasting0 z : lasting P 0 z 0 = 1.
Proof. by rewrite /lasting /= mxE. Qed.
Lemma gap0 r y z : copies_gap P r 0 y z = `|r y 0 - r z 0|.
Proof. by rewrite /copies_gap /= mxE. Qed.
Lemma mean0 r z : mean_reward P r 0 z 0 = r z 0.
Proof. by []. Qed.
End Errors.

(* One step repeated for ever: mean rewards a, masses l, distribution functions c, gaps u of k pairs, by
   step; s are the levels. *)
Section Mixture.
Variables (F : realFieldType) (k : nat) (rho : 'rV[F]_k) (g lo hi : F) (s : seq F).
Variables (a l : nat -> 'I_k -> F) (c : nat -> F -> 'I_k -> F) (u : nat -> 'I_k -> 'I_k -> F).
Variable G : 'rV[F]_k -> 'rV[F]_k -> 'M[F]_k -> 'M[F]_k -> F.
Hypotheses (cG : concave4 G) (lohi : lo <= hi).
Let w := g / (1 - g).
Hypothesis len0 : forall p, p \in zip s (behead s) -> 0 <= p.2 - p.1.
Hypothesis lens : forall e, step_integral s (fun=> e) = (hi - lo) * e.
Hypotheses (a0 : forall i, a 0 i = rho 0 i) (l0 : forall i, l 0 i = 1).
Hypothesis u0 : forall i j, u 0 i j = `|rho 0 i - rho 0 j|.
Hypothesis aE : forall m i, a m i = hi * l m i - step_integral s (fun t => c m t i).
Hypothesis uE : forall m i j, u m i j =
  step_integral s (fun t => c m t i * (l m j - c m t j) + c m t j * (l m i - c m t i)).

Definition small_point f m : 'M[F]_((1 + 1) + (k + k), k) :=
  pack (point_values rho lo hi g f m) (point_lives g m) (point_mico rho lo hi g f m) (point_mass g m).
Definition step m : 'M[F]_((1 + 1) + (k + k), k) :=
  pack (\row_i a m i) (\row_i l m i) (\matrix_(i, j) u m i j) (\matrix_(i, j) (l m i * l m j)).
Hypothesis laws_ok : forall m t, 0 <= unpacked G (small_point (\row_i c m.+1 t i) (\row_i l m.+1 i)).

(* a mixture of small chains, one for each level *)
Lemma step_ok m : 0 <= unpacked G (step 0 + w *: step m.+1).
Proof.
have sum1 : \sum_(p <- zip s (behead s)) (p.2 - p.1) = hi - lo.
  by rewrite -[RHS]mulr1 -lens; apply: eq_bigr => p _; rewrite mulr1.
have [z | nz] := eqVneq (hi - lo) 0.
  have zero h : step_integral s h = 0.
    rewrite /step_integral big_seq; apply: big1 => p ps; suff -> : p.2 - p.1 = 0 by rewrite mul0r.
    apply/eqP; rewrite eq_le len0 // andbT -z -sum1 (big_rem p ps) /= ler_addl big_seq.
    by apply: sumr_ge0 => p' /mem_rem; apply: len0.
  have -> : step 0 + w *: step m.+1 = small_point (\row_i c m.+1 0 i) (\row_i l m.+1 i); last exact: laws_ok.
  rewrite /step /small_point pack_scale pack_add; congr pack.
  - by apply/rowP=> i; rewrite !mxE a0 aE zero z mul0r.
  - by apply/rowP=> i; rewrite !mxE l0.
  - by apply/matrixP=> i j; rewrite !mxE u0 uE zero z !mulr0 mul0r.
  - by apply/matrixP=> i j; rewrite !mxE !l0 mulr1.
pose weight (p : F * F) := (p.2 - p.1) / (hi - lo).
have mean h : \sum_(p <- zip s (behead s)) weight p * h p.1 = (hi - lo)^-1 * step_integral s h.
  by rewrite /step_integral mulr_sumr; apply: eq_bigr => p _; rewrite /weight mulrAC mulrC.
have -> : step 0 + w *: step m.+1
    = \sum_(p <- zip s (behead s)) weight p *: small_point (\row_i c m.+1 p.1 i) (\row_i l m.+1 i).
  under eq_bigr do rewrite pack_scale.
  rewrite pack_sum /step pack_scale pack_add; congr pack.
  - apply/rowP=> i; rewrite summxE; under eq_bigr do rewrite !mxE.
    rewrite (mean (fun t => rho 0 i + w * (hi * l m.+1 i - (hi - lo) * c m.+1 t i))).
    rewrite (@eq_step_integral _ _ _ (fun t => (rho 0 i + w * (hi * l m.+1 i))
        + (- w * (hi - lo)) * c m.+1 t i)) => [|t]; last by ring.
    rewrite step_integralD step_integralZ lens !mxE a0 aE.
    by set I := step_integral _ _; set v := w; field.
  - apply/rowP=> i; rewrite summxE; under eq_bigr do rewrite !mxE.
    by rewrite (mean (fun t => 1 + w * l m.+1 i)) lens mulKf // !mxE l0.
  - apply/matrixP=> i j; rewrite summxE; under eq_bigr do rewrite !mxE.
    rewrite (mean (fun t => `|rho 0 i - rho 0 j| + w * (hi - lo) *
      (c m.+1 t i * (l m.+1 j - c m.+1 t j) + c m.+1 t j * (l m.+1 i - c m.+1 t i)))).
    rewrite step_integralD lens step_integralZ !mxE u0 uE.
    by set I := step_integral _ _; set b := `|_|; field.
  - apply/matrixP=> i j; rewrite summxE; under eq_bigr do rewrite !mxE.
    rewrite (mean (fun t => 1 + w * (l m.+1 i * l m.+1 j))) lens mulKf //.
    by rewrite !mxE !l0 mulr1.
apply: (convex_comb (C := fun A => 0 <= unpacked G A)).
- exact/concave_superlevel/unpacked_concave.
- by move=> p ps; rewrite divr_ge0 ?len0 // subr_ge0.
- by move=> p; apply: laws_ok.
- by rewrite -mulr_suml sum1 divff.
Qed.

(* what is left after step N is replaced by the chain in which every pair goes to hi *)
Definition near N : 'M[F]_((1 + 1) + (k + k), k) :=
  step 0 + \sum_(m < N) g ^+ m.+1 *: step m.+1
  + (g ^+ N * w) *: pack (const_mx hi) (const_mx 1) 0 (const_mx 1).
Hypothesis start_ok : 0 <= unpacked G (small_point 0 (const_mx 1)).

Lemma near_ok N : 0 <= g -> g < 1 -> 0 <= unpacked G (near N).
Proof.
move=> g0 g1; apply: (geometric_comb (C := fun A => 0 <= unpacked G A) (w := w)) => //.
- by rewrite /w divfK // subr_eq0 gt_eqF.
- exact/concave_superlevel/unpacked_concave.
- exact: step_ok.
suff -> : step 0 + w *: pack (const_mx hi) (const_mx 1) 0 (const_mx 1) = small_point 0 (const_mx 1) by [].
rewrite /step /small_point pack_scale pack_add; congr pack; rewrite -/w.
- by apply/rowP=> i; rewrite !mxE a0 !mulr1 mulr0 subr0.
- by apply/rowP=> i; rewrite !mxE l0 mulr1.
- by apply/matrixP=> i j; rewrite !mxE u0; set b := `|_|; ring.
- by apply/matrixP=> i j; rewrite !mxE !l0 !mulr1.
Qed.

(* the four series up to step N *)
Lemma nearE N : near N = pack (\row_i \sum_(m < N.+1) g ^+ m * a m i) (\row_i \sum_(m < N.+1) g ^+ m * l m i)
    (\matrix_(i, j) \sum_(m < N.+1) g ^+ m * u m i j) (\matrix_(i, j) \sum_(m < N.+1) g ^+ m * (l m i * l m j))
  + (g ^+ N * w) *: pack (const_mx hi) (const_mx 1) 0 (const_mx 1).
Proof.
congr (_ + _); under eq_bigr do rewrite pack_scale.
rewrite pack_sum pack_add; congr pack; apply/matrixP=> i j; rewrite !mxE summxE big_ord_recl mul1r.
all: by congr (_ + _); apply: eq_bigr => m _; rewrite !mxE.
Qed.
End Mixture.

Section Reduction.
Variables (F : archiFieldType) (n k : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (g lo hi : F) (x : 'I_k -> 'I_n).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1).
Hypotheses (range : forall z, lo <= r z 0 <= hi) (lohi : lo <= hi).
Variable G : 'rV[F]_k -> 'rV[F]_k -> 'M[F]_k -> 'M[F]_k -> F.
Hypothesis cG : concave4 G.
Let rho : 'rV[F]_k := \row_i r (x i) 0.
Let at_point f m := G (point_values rho lo hi g f m) (point_lives g m) (point_mico rho lo hi g f m) (point_mass g m).
Hypothesis start_ok : 0 <= at_point 0 (const_mx 1).
Hypothesis laws_ok : forall m t,
  0 <= at_point (\row_i cdf P r m.+1 t (x i) 0) (\row_i lasting P m.+1 (x i) 0).

Lemma length_ge0 p : p \in zip (levels r lo hi) (behead (levels r lo hi)) -> 0 <= p.2 - p.1.
Proof.
have := levels_sorted range lohi; case: (levels r lo hi) => [|y t] //=.
elim: t y => [|z t IH] y //= /andP[yz zt]; rewrite inE => /orP[/eqP -> | /(IH _ zt) //].
by rewrite subr_ge0.
Qed.

Theorem reduction : 0 <= G (pairs_values P r g x) (pairs_lives P g x) (pairs_mico P r g x) (pairs_mass P g x).
Proof.
pose a m i := mean_reward P r m (x i) 0; pose l m i := lasting P m (x i) 0.
pose c m t i := cdf P r m t (x i) 0; pose u m i j := copies_gap P r m (x i) (x j).
set T1 := pairs_values _ _ _ _; set T2 := pairs_lives _ _ _; set T3 := pairs_mico _ _ _ _; set T4 := pairs_mass _ _ _.
rewrite -unpackedK; pose w := g / (1 - g).
pose D : 'M[F]_((1 + 1) + (k + k), k) := pack (const_mx hi) (const_mx 1) 0 (const_mx 1).
pose C := supnorm (values P r g) + supnorm (values P (const_mx 1) g) + supnorm (mico P r g)
  + supnorm (stein_solution P g (const_mx 1)) + `|w| * supnorm D.
apply: (concave_limit (unpacked_concave cG) (near := near g hi a l u) (C := C) g0 g1) => N.
  apply: (near_ok (rho := rho) (lo := lo) (s := levels r lo hi) (c := c)) => //.
  - exact: length_ge0.
  - by move=> e; rewrite /levels step_integral_const last_rcons.
  - by move=> i; rewrite mxE.
  - by move=> i; apply: lasting0.
  - by move=> i j; rewrite !mxE; apply: gap0.
  - by move=> m i; apply: mean_rewardE.
  - by move=> m i j; apply: copies_gapE.
  - by move=> m t; rewrite unpackedK; apply: laws_ok.
  - by rewrite unpackedK.
rewrite nearE; set S := (X in supnorm (_ - (X + _))).
have gN : g ^+ N.+1 <= g ^+ N by rewrite exprS ler_pimull ?exprn_ge0 // ltW.
pose C' := C - `|w| * supnorm D.
have part c0 : 0 <= c0 -> c0 <= C' -> g ^+ N.+1 * c0 <= g ^+ N * C'.
  by move=> c00 cC; apply: ler_pmul => //; rewrite exprn_ge0.
have n1 := supnorm_ge0 (values P r g); have n2 := supnorm_ge0 (values P (const_mx 1) g).
have n3 := supnorm_ge0 (mico P r g); have n4 := supnorm_ge0 (stein_solution P g (const_mx 1)).
have C'0 : 0 <= g ^+ N * C' by rewrite mulr_ge0 ?exprn_ge0 // /C' /C; lra.
have close : supnorm (pack T1 T2 T3 T4 - S) <= g ^+ N * C'.
  rewrite -[- S]scaleN1r /S pack_scale pack_add; apply: supnorm_col => //; apply: supnorm_col => //.
  - apply: supnorm_le => // i j; rewrite sub_row mxE distrC.
    by apply: le_trans (values_error subP g0 g1 _ _ _) _; apply: part => //; rewrite /C' /C; lra.
  - apply: supnorm_le => // i j; rewrite sub_row mxE distrC.
    by apply: le_trans (values_error subP g0 g1 _ _ _) _; apply: part => //; rewrite /C' /C; lra.
  - apply: supnorm_le => // i j; rewrite sub_matrix mxE distrC.
    by apply: le_trans (stein_error subP g0 g1 _ _ _ _) _; apply: part => //; rewrite /C' /C /mico; lra.
  - apply: supnorm_le => // i j; rewrite sub_matrix mxE distrC.
    under eq_bigr do rewrite -together.
    by apply: le_trans (stein_error subP g0 g1 _ _ _ _) _; apply: part => //; rewrite /C' /C; lra.
rewrite opprD addrA; apply: le_trans (supnormD _ _) _; rewrite supnormN.
have last : supnorm ((g ^+ N * w) *: D) <= g ^+ N * (`|w| * supnorm D).
  by apply: le_trans (supnormZ _ _) _; rewrite normrM [`|g ^+ N|]ger0_norm ?exprn_ge0 // mulrA.
have eC : C = C' + `|w| * supnorm D by rewrite /C' subrK.
by rewrite [X in _ <= _ * X]eC mulrDr; apply: ler_add.
Qed.
End Reduction.
