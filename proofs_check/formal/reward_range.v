(* What the form of the reward kernel sees: every function of the reward, once R is above half the range. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm min_kernel reward_kernel reward_psd.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Null.
Variable F : realFieldType.

(* a null vector of the min-kernel is orthogonal to every function of x that vanishes where x does *)
Lemma min_null n (x : 'I_n -> F) v : (forall i, 0 <= x i) -> form (minmx x) v v = 0 ->
  forall h : F -> F, \sum_i v 0 i * (h (x i) * (0 < x i)%R%:R) = 0.
Proof.
have [k] := ubnP #|[pred i | 0 < x i]|; elim: k x => // k IH x; rewrite ltnS => le_k x0 null h.
have [i0 /= hi0 | none] := pickP [pred i | 0 < x i]; last first.
  by apply: big1 => i _; have := none i; rewrite /= => ->; rewrite !mulr0.
have [i1 /= hi1 min1] := @arg_minP _ _ _ i0 [pred i | 0 < x i] x hi0.
move: null; rewrite (min_peel v hi1 x0 min1); set y := fun i => _ => null.
have y0 i : 0 <= y i.
  rewrite /y; have [p | np] := boolP (0 < x i); last by rewrite mulr0 subr0.
  by rewrite mulr1 subr_ge0 min1.
have a0 : 0 <= x i1 * mass x v ^+ 2 by rewrite mulr_ge0 ?sqr_ge0.
have /andP[/eqP z1 /eqP z2] : (x i1 * mass x v ^+ 2 == 0) && (form (minmx y) v v == 0).
  by rewrite -paddr_eq0 ?null // psd_min.
have m0 : mass x v = 0.
  by apply/eqP; move/eqP: z1; rewrite mulf_eq0 gt_eqF //= sqrf_eq0.
have IHy := IH y _ y0 z2.
have card_y : (#|[pred i | (0 < y i)%R]| < k)%N.
  apply: leq_trans le_k; apply: proper_card; apply/properP; split.
    apply/subsetP=> i; rewrite !inE /y; have [//|/negbTE nh] := boolP (0 < x i).
    by rewrite mulr0 subr0 nh.
  by exists i1; rewrite !inE //= /y hi1 mulr1 subrr ltxx.
have e1 := IHy card_y (fun t => h (t + x i1)); have e2 := IHy card_y (fun=> 1).
have -> : \sum_i v 0 i * (h (x i) * (0 < x i)%R%:R)
    = \sum_i v 0 i * (h (y i + x i1) * (0 < y i)%R%:R)
      + h (x i1) * (mass x v - \sum_i v 0 i * (1 * (0 < y i)%R%:R)).
  rewrite /mass -sumrB mulr_sumr -big_split /=; apply: eq_bigr => i _.
  have [p | np] := boolP (0 < x i); last first.
    have -> : y i = x i by rewrite /y (negbTE np) mulr0 subr0.
    by rewrite (negbTE np) !mulr0 subr0 mulr0 addr0.
  have -> : y i = x i - x i1 by rewrite /y p mulr1.
  rewrite subrK subr_gt0; have := min1 i p; rewrite le_eqVlt => /orP[/eqP <- | lt1].
    by rewrite ltxx !mulr0 subr0 !mulr1 add0r mulrC.
  by rewrite lt1 !mulr1 subrr mulr0 addr0.
by rewrite e1 e2 m0 subrr mulr0 addr0.
Qed.

(* R K1 as a sum of three psd parts: T1 without sorting *)
Lemma reward_kernel_parts n (r : 'cV[F]_n) (R M t : F) (v : 'rV[F]_n) : 0 < M -> R != 0 ->
  let a i := r i 0 - t in let S := \sum_i v 0 i in let A := \sum_i v 0 i * a i in
  R * form (reward_kernel r R) v v
    = (R - M / 2%:R) * S ^+ 2 + 2%:R / M * form (M *: minmx a - (\col_i a i) *m (\col_i a i)^T) v v
      + 2%:R / M * (A - M / 2%:R * S) ^+ 2.
Proof.
move=> M0 R0 a S A; pose c : 'cV_n := \col_i (a i - M / 2%:R); pose one : 'cV[F]_n := const_mx 1.
have eS : (v *m one) 0 0 = S by rewrite mxE; apply: eq_bigr => i _; rewrite mxE mulr1.
have ec : (v *m c) 0 0 = A - M / 2%:R * S.
  rewrite mxE mulr_sumr -sumrB; apply: eq_bigr => i _; rewrite mxE mulrBr; congr (_ - _); exact: mulrC.
rewrite -ec -eS !expr2 -!form_outer -!formZ -!formD; congr (form _ _ _).
apply/matrixP=> i j; rewrite !mxE !big_ord1 !mxE.
have -> : `|r i 0 - r j 0| = `|a i - a j| by congr `|_|; rewrite /a; move: (r i 0) (r j 0) => p q; ring.
rewrite absdiff_min; move: (a i) (a j) (Order.min _ _) => p q m.
by field; rewrite R0 gt_eqF.
Qed.

(* a null vector of the reward kernel is orthogonal to every function of the reward *)
Theorem reward_kernel_null n (r : 'cV[F]_n) (R : F) (v : 'rV[F]_n) :
  (spread r < 2%:R * R) || (spread r == 0) -> form (reward_kernel r R) v v = 0 ->
  forall h : F -> F, \sum_x v 0 x * h (r x 0) = 0.
Proof.
case: n r v => [|n] r v hR null h; first by rewrite big_ord0.
have [x0 [y0 [e hx hy]]] := spread_attained r.
pose S := \sum_x v 0 x.
have [s0 | s0] := eqVneq (spread r) 0.
  have r0 x : r x 0 = r x0 0.
    by have := le_spread r x x0; rewrite s0 normr_le0 subr_eq0 => /eqP.
  have S0 : S = 0.
    apply/eqP; rewrite -sqrf_eq0; apply/eqP; rewrite -[RHS]null.
    have -> : reward_kernel r R = (const_mx 1 : 'cV_n.+1) *m (const_mx 1)^T.
      by apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE !r0 subrr normr0 mul0r subr0 mulr1.
    rewrite form_outer expr2; have -> // : (v *m (const_mx 1 : 'cV_n.+1)) 0 0 = S.
    by rewrite mxE; apply: eq_bigr => i _; rewrite mxE mulr1.
  under eq_bigr do rewrite r0; by rewrite -mulr_suml -/S S0 mul0r.
rewrite (negbTE s0) orbF in hR.
have M0 : 0 < spread r by rewrite lt_neqAle eq_sym s0 spread_ge0.
have R0 : 0 < R by have := lt_trans M0 hR; rewrite pmulr_rgt0 ?ltr0n.
pose a i := r i 0 - r x0 0; pose A := \sum_i v 0 i * a i.
have a0 i : 0 <= a i by rewrite subr_ge0.
have aM i : a i <= spread r by rewrite e ler_add2r.
have := reward_kernel_parts r (r x0 0) v M0 (lt0r_neq0 R0); rewrite null mulr0 -/a -/S -/A.
have pB := psd_bridge a0 aM (ltW M0) v; set B := form _ v v in pB * => eq0.
have k0 : 0 < R - spread r / 2%:R by rewrite subr_gt0 ltr_pdivr_mulr ?ltr0n // mulrC.
have k1 : 0 < 2%:R / spread r by rewrite divr_gt0 ?ltr0n.
have p1 : 0 <= (R - spread r / 2%:R) * S ^+ 2 by rewrite mulr_ge0 ?sqr_ge0 ?ltW.
have p2 : 0 <= 2%:R / spread r * B by apply: mulr_ge0 => //; apply: ltW.
have p3 : 0 <= 2%:R / spread r * (A - spread r / 2%:R * S) ^+ 2 by rewrite mulr_ge0 ?sqr_ge0 ?ltW.
move/esym/eqP: eq0; rewrite paddr_eq0 ?addr_ge0 // paddr_eq0 // => /andP[/andP[z1 z2] z3].
have S0 : S = 0 by apply/eqP; move: z1; rewrite mulf_eq0 gt_eqF //= sqrf_eq0.
have B0 : B = 0 by apply/eqP; move: z2; rewrite mulf_eq0 gt_eqF.
have A0 : A = 0.
  by apply/eqP; move: z3; rewrite mulf_eq0 gt_eqF //= sqrf_eq0 S0 mulr0 subr0.
have eA : (v *m (\col_i a i)) 0 0 = A by rewrite mxE; apply: eq_bigr => i _; rewrite mxE.
move: B0; rewrite /B formD formN formZ form_outer eA A0 mulr0 subr0 => /eqP.
rewrite mulf_eq0 gt_eqF //= => /eqP min0.
have e1 := min_null a0 min0 (fun t => h (t + r x0 0)); have e2 := min_null a0 min0 (fun=> 1).
have -> : \sum_x v 0 x * h (r x 0) = \sum_i v 0 i * (h (a i + r x0 0) * (0 < a i)%R%:R)
    + h (r x0 0) * (S - \sum_i v 0 i * (1 * (0 < a i)%R%:R)).
  rewrite /S -sumrB mulr_sumr -big_split /=; apply: eq_bigr => i _; rewrite {1}/a subrK.
  have := a0 i; rewrite le_eqVlt => /orP[/eqP z | p].
    rewrite -z ltxx !mulr0 subr0 add0r mulrC; congr (h _ * _); apply/eqP.
    by rewrite -subr_eq0 -/(a i) -z.
  by rewrite p !mulr1 subrr mulr0 addr0.
by rewrite e1 e2 S0 subrr mulr0 addr0.
Qed.
End Null.

(* on distinct rewards, endpoints included, the reward kernel is positive definite iff R is above half the range;
   with R at least the range, its least eigenvalue is at least e / (4 R), e the smallest gap between rewards *)
Theorem k1_pd_distinct (F : realFieldType) n (r : 'cV[F]_n) (R : F) :
  0 < R -> injective (fun x => r x 0) ->
  (pd (reward_kernel r R) <-> spread r / 2%:R < R)
  /\ (spread r <= R -> forall e, e <= R -> (forall x y, x != y -> e <= `|r x 0 - r y 0|) ->
      psd (reward_kernel r R - (e / (4%:R * R)) *: 1%:M)).
Proof.
move=> R0 inj; split; first split=> [h | hR v v0].
- case: n r inj h => [|n] r inj h.
    apply: le_lt_trans (_ : 0 < R) => //; rewrite pmulr_lle0 ?invr_gt0 ?ltr0n //.
    by apply: supnorm_le => [|[]//].
  have [x [y [e _ _]]] := spread_attained r.
  have [s0 | s0] := eqVneq (spread r) 0; first by rewrite s0 mul0r.
  have ne : x != y by apply: contra s0 => /eqP xy; rewrite e xy subrr.
  have nz : delta_mx 0 x + delta_mx 0 y != 0 :> 'rV[F]_n.+1.
    apply/negP=> /eqP/rowP/(_ x)/eqP; rewrite !mxE !eqxx (negbTE ne) addr0.
    by rewrite oner_eq0.
  have := h _ nz; have := form_sq (delta_mx 0 x) (delta_mx 0 y) 1 1 (reward_kernel_sym r R).
  rewrite !scale1r => ->; rewrite !form_delta !reward_kernel_diag mxE distrC -e.
  rewrite ger0_norm ?spread_ge0 // => h2.
  have : 0 < (2%:R * R - spread r) * (2%:R / R).
    apply: lt_le_trans h2 _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
    by move: (spread r) => t; field; rewrite gt_eqF.
  by rewrite pmulr_lgt0 ?divr_gt0 ?ltr0n // subr_gt0 ltr_pdivr_mulr ?ltr0n // mulrC.
- have hR2 : spread r < 2%:R * R by rewrite mulrC -ltr_pdivr_mulr ?ltr0n.
  rewrite lt_neqAle (psd_reward_kernel (ltW hR2)) andbT eq_sym; apply/negP=> /eqP null.
  move/negP: v0; apply; apply/eqP/rowP=> x; rewrite mxE.
  have := @reward_kernel_null F n r R v _ null (fun t => (t == r x 0)%:R); rewrite hR2 => /(_ isT).
  rewrite (bigD1 x) //= eqxx mulr1 big1 ?addr0 // => y ne.
  by rewrite (inj_eq inj) (negbTE ne) mulr0.
move=> hR e eR gap v; rewrite formD formN formZ subr_ge0 -/(sqnorm v).
have [e0 | e0] := leP e 0.
  apply: le_trans (psd_reward_kernel _ v); last by rewrite (le_trans hR) // ler_pemull ?ler1n ?ltW.
  rewrite mulr_le0_ge0 ?sqnorm_ge0 // mulr_le0_ge0 // invr_ge0 mulr_ge0 ?ler0n ?ltW //.
case: n r inj hR gap v => [|[|n]] r inj hR gap v.
- by rewrite (thinmx0 v) /sqnorm /form !mul0mx !mxE mulr0.
- have -> : reward_kernel r R = 1%:M.
    by apply/matrixP=> i j; rewrite !ord1 reward_kernel_diag mxE.
  rewrite -/(sqnorm v) ler_pimull ?sqnorm_ge0 // ler_pdivr_mulr ?mulr_gt0 ?ltr0n // mul1r.
  by apply: le_trans eR _; rewrite ler_pemull ?ler1n ?ltW.
have [x0 [y0 [es hx hy]]] := spread_attained r.
have M0 : 0 < spread r.
  have ne : (0 : 'I_n.+2) != 1 by [].
  exact: lt_le_trans (lt_le_trans e0 (gap _ _ ne)) (le_spread _ _ _).
pose a i := r i 0 - r x0 0; pose b i := spread r - a i.
have a0 i : 0 <= a i by rewrite subr_ge0.
have b0 i : 0 <= b i by rewrite /b es subr_ge0 ler_add2r.
have ra : forall i j, i != j -> e <= `|a i - a j|.
  move=> i j ne; have -> : a i - a j = r i 0 - r j 0 by rewrite /a opprB addrA subrK.
  exact: gap.
have rb : forall i j, i != j -> e <= `|b i - b j|.
  move=> i j ne; have -> : b i - b j = - (a i - a j); last by rewrite normrN ra.
  by rewrite /b; move: (a i) (a j) (spread r) => p q t; ring.
have pa i : 0 < a i -> e <= a i.
  have ax : a x0 = 0 by rewrite /a subrr.
  have [-> | ne _] := eqVneq i x0; first by rewrite ax ltxx.
  by have := ra i x0 ne; rewrite ax subr0 ger0_norm.
have pb i : 0 < b i -> e <= b i.
  have bx : b y0 = 0 by rewrite /b /a -es subrr.
  have [-> | ne _] := eqVneq i y0; first by rewrite bx ltxx.
  by have := rb i y0 ne; rewrite bx subr0 ger0_norm.
have Ha := min_kernel_rate v e0 a0 pa (fun i j ne _ _ => ra i j ne).
have Hb := min_kernel_rate v e0 b0 pb (fun i j ne _ _ => rb i j ne).
have eK : R * form (reward_kernel r R) v v
    = (R - spread r) * (\sum_i v 0 i) ^+ 2 + form (minmx a) v v + form (minmx b) v v.
  pose one : 'cV[F]_n.+2 := const_mx 1.
  have eS : (v *m one) 0 0 = \sum_i v 0 i by rewrite mxE; apply: eq_bigr => i _; rewrite mxE mulr1.
  rewrite -eS expr2 -form_outer -!formZ -!formD; congr (form _ _ _).
  apply/matrixP=> i j; rewrite !mxE !big_ord1 !mxE.
  have -> : r i 0 - r j 0 = a i - a j by rewrite /a opprB addrA subrK.
  have -> : Order.min (b i) (b j) = spread r - Order.max (a i) (a j).
    rewrite /b; have [ab | ba] := leP (a i) (a j); first by rewrite min_r // ler_add2l ler_opp2.
    by rewrite min_l // ler_add2l ler_opp2 ltW.
  have -> : `|a i - a j| = Order.max (a i) (a j) - Order.min (a i) (a j).
    by have [ab | ba] := leP (a i) (a j); [rewrite ler0_norm ?subr_le0 // opprB | rewrite gtr0_norm ?subr_gt0].
  by move: (Order.max _ _) (Order.min _ _) (spread r) => p q t; field; rewrite gt_eqF.
have m2 : sqnorm v <= mass2 a v + mass2 b v.
  rewrite sqnormE -big_split /=; apply: ler_sum => i _; rewrite -mulrDr ler_pemulr ?sqr_ge0 //.
  have := a0 i; rewrite le_eqVlt => /orP[/eqP z | p]; last by rewrite p ler_addl ler0n.
  by rewrite /b -z subr0 M0 ler_addr ler0n.
rewrite -(ler_pmul2l R0) eK; apply: le_trans (_ : e / 4%:R * (mass2 a v + mass2 b v) <= _).
  have -> : R * (e / (4%:R * R) * sqnorm v) = e / 4%:R * sqnorm v by field; rewrite gt_eqF.
  by rewrite ler_wpmul2l // divr_ge0 ?ler0n // ltW.
have half (m : F) : 0 <= e / 2%:R * m ^+ 2 by rewrite mulr_ge0 ?sqr_ge0 // divr_ge0 ?ler0n // ltW.
rewrite mulrDr; apply: ler_add; last by apply: le_trans Hb; rewrite ler_addl.
apply: ler_paddl; first by rewrite mulr_ge0 ?sqr_ge0 // subr_ge0.
by apply: le_trans Ha; rewrite ler_addl.
Qed.
