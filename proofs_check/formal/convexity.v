(* Convex sets and concave functions of matrices over an archimedean field; superlevel sets are closed. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import supnorm arith.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Sets.
Variables (F : realFieldType) (V : lmodType F).

Definition convex_set (C : V -> Prop) := forall t a b, 0 <= t <= 1 -> C a -> C b -> C (t *: a + (1 - t) *: b).
Definition concave (G : V -> F) := forall t a b, 0 <= t <= 1 ->
  t * G a + (1 - t) * G b <= G (t *: a + (1 - t) *: b).

Lemma concave_superlevel G m : concave G -> convex_set (fun a => m <= G a).
Proof.
move=> cG t a b t01 ha hb; apply: le_trans (cG t a b t01); case/andP: t01 => t0 t1.
have : t * m + (1 - t) * m <= t * G a + (1 - t) * G b.
  by apply: ler_add; apply: ler_wpmul2l => //; rewrite subr_ge0.
by apply: le_trans; rewrite -mulrDl addrCA subrr addr0 mul1r.
Qed.

(* finite combinations, weights w of sum 1 *)
Lemma convex_comb (I : eqType) (s : seq I) (w : I -> F) (p : I -> V) (C : V -> Prop) :
  convex_set C -> (forall i, i \in s -> 0 <= w i) -> (forall i, C (p i)) -> \sum_(i <- s) w i = 1 ->
  C (\sum_(i <- s) w i *: p i).
Proof.
move=> cC w0 hp; suff h : forall W, 0 < W -> \sum_(i <- s) w i = W -> C (W^-1 *: \sum_(i <- s) w i *: p i).
  by move=> /(h 1 ltr01); rewrite invr1 scale1r.
elim: s w0 => [|i s IH] w0 W Wp; first by rewrite big_nil => e; rewrite -e ltxx in Wp.
have {}IH := IH (fun j js => w0 j (mem_behead (s := i :: s) js)).
have wi : 0 <= w i by apply: w0; rewrite inE eqxx.
have ws j : j \in s -> 0 <= w j by move=> js; apply: w0; rewrite inE js orbT.
rewrite !big_cons => e; set S := \sum_(j <- s) w j in e; set Z := \sum_(j <- s) w j *: p j.
have S0 : 0 <= S by rewrite /S big_seq; apply: sumr_ge0.
have [Sz | Sp] : S = 0 \/ 0 < S by move: S0; rewrite le_eqVlt => /orP[/eqP|]; [left | right].
  have Zz : Z = 0.
    rewrite /Z big_seq; apply: big1 => j js; suff -> : w j = 0 by rewrite scale0r.
    apply/eqP; rewrite eq_le ws // andbT -Sz /S (big_rem j js) /= ler_addl big_seq.
    by apply: sumr_ge0 => k ks; apply/ws/(mem_rem ks).
  have wW : w i = W by rewrite -e Sz addr0.
  by rewrite Zz addr0 scalerA wW mulVf ?scale1r // gt_eqF.
have -> : W^-1 *: (w i *: p i + Z) = (w i / W) *: p i + (1 - w i / W) *: (S^-1 *: Z).
  rewrite scalerDr !scalerA; congr (_ *: _ + _ *: _); first by rewrite mulrC.
  have -> : 1 - w i / W = S / W by rewrite -e; field; rewrite gt_eqF // e.
  by rewrite mulrAC divff ?mul1r // gt_eqF.
apply: cC => //; last exact: IH.
by rewrite divr_ge0 ?(ltW Wp) //= ler_pdivr_mulr // mul1r -e ler_addl.
Qed.
End Sets.

(* the rest of a geometric sum: what all steps after the first have in common *)
Section Geometric.
Variables (F : realFieldType) (V : lmodType F) (g w : F) (C : V -> Prop).
Hypotheses (g0 : 0 <= g) (g1 : g < 1) (ew : w * (1 - g) = g) (cC : convex_set C).

Lemma geometric_comb N (S : nat -> V) (rest : V) :
  (forall m, C (S 0%N + w *: S m.+1)) -> C (S 0%N + w *: rest) ->
  C (S 0%N + \sum_(m < N) g ^+ m.+1 *: S m.+1 + (g ^+ N * w) *: rest).
Proof.
elim: N S => [|N IH] S hS hr; first by rewrite big_ord0 addr0 mul1r.
pose S' m := if m is m'.+1 then S m'.+2 else S 0%N.
have := IH S' (fun m => hS m.+1) hr; set Z := _ + _ + _ => hZ.
have -> : S 0%N + \sum_(m < N.+1) g ^+ m.+1 *: S m.+1 + (g ^+ N.+1 * w) *: rest
    = (1 - g) *: (S 0%N + w *: S 1%N) + (1 - (1 - g)) *: Z.
  rewrite big_ord_recl /Z /= expr1.
  have -> : 1 - (1 - g) = g by ring.
  rewrite !scalerDr scaler_sumr !scalerA [(1 - g) * w]mulrC ew scalerBl scale1r mulrA -exprS.
  have -> : \sum_(i < N) g ^+ (lift ord0 i).+1 *: S (lift ord0 i).+1 = \sum_(i < N) (g * g ^+ i.+1) *: S i.+2.
    by apply: eq_bigr => i _; rewrite -exprS.
  set A := \sum_(i < N) _; rewrite !addrA; congr (_ + _ + _).
    by rewrite addrAC subrK.
  by apply: eq_bigr => i _; rewrite scalerA.
by apply: cC => //; rewrite subr_ge0 (ltW g1) /= ler_subl_addr ler_addl.
Qed.
End Geometric.

(* a concave function that is non-negative arbitrarily near a point is non-negative there *)
Section Limit.
Variables (F : archiFieldType) (p q : nat) (G : 'M[F]_(p, q) -> F) (T : 'M[F]_(p, q)).
Hypothesis cG : concave G.

(* a lower bound of G in a box around T *)
Let M := `|G T| + \sum_i \sum_j (`|G (T + delta_mx i j)| + `|G (T - delta_mx i j)|).

Lemma axis_bound i j s : `|s| <= 1 -> - M <= G (T + s *: delta_mx i j).
Proof.
move=> s1; have hM (b : bool) : - M <= G (T + (-1) ^+ b *: delta_mx i j).
  have h : `|G (T + delta_mx i j)| + `|G (T - delta_mx i j)| <= M.
    apply: ler_paddl; first exact: normr_ge0.
    rewrite (bigD1 i) //= (bigD1 j) //= -addrA ler_addl addr_ge0 //; last first.
      by apply: sumr_ge0 => k _; apply: sumr_ge0 => l _; rewrite addr_ge0.
    by apply: sumr_ge0 => l _; rewrite addr_ge0.
  have [h1 h2] : - M <= G (T + delta_mx i j) /\ - M <= G (T - delta_mx i j).
    have n1 := ler_norm (- G (T + delta_mx i j)); have n2 := ler_norm (- G (T - delta_mx i j)).
    rewrite !normrN in n1 n2; have p1 := normr_ge0 (G (T + delta_mx i j)).
    have p2 := normr_ge0 (G (T - delta_mx i j)).
    move: h n1 n2 p1 p2; set a := `|_|; set b' := `|_| => *; split; lra.
  by case: b; rewrite ?expr0 ?expr1 ?scale1r ?scaleN1r.
have -> : T + s *: delta_mx i j = ((1 + s) / 2%:R) *: (T + (-1) ^+ false *: delta_mx i j)
    + (1 - (1 + s) / 2%:R) *: (T + (-1) ^+ true *: delta_mx i j).
  by apply/matrixP=> k l; rewrite !mxE; set d := _%:R; field.
apply: (concave_superlevel (m := - M) cG) => //.
by move: s1; rewrite ler_norml => /andP[? ?]; apply/andP; split; lra.
Qed.

Lemma box_bound (h : 'M[F]_(p, q)) : (p * q)%:R * supnorm h <= 1 -> - M <= G (T + h).
Proof.
have [z | nz] := posnP (p * q)%N.
  move=> _; have -> : h = 0.
    by apply/matrixP=> i j; have := muln_gt0 p q; rewrite z (leq_ltn_trans _ (ltn_ord i)) ?(leq_ltn_trans _ (ltn_ord j)).
  rewrite addr0 ler_oppl; apply: ler_paddr; last by rewrite -normrN ler_norm.
  by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; rewrite addr_ge0.
move=> hh; pose c : F := (p * q)%:R; have cp : 0 < c by rewrite ltr0n.
have -> : T + h = \sum_(k : 'I_p * 'I_q) c^-1 *: (T + (c * h k.1 k.2) *: delta_mx k.1 k.2).
  under eq_bigr do rewrite scalerDr scalerA mulrA mulVf ?gt_eqF // mul1r.
  rewrite big_split /= sumr_const card_prod !card_ord -scaler_nat scalerA divff ?gt_eqF // scale1r.
  by congr (_ + _); rewrite {1}[h]matrix_sum_delta pair_bigA.
apply: (convex_comb (C := fun a => - M <= G a)); first exact: concave_superlevel.
- by move=> k _; rewrite invr_ge0 ltW.
- move=> k; apply: axis_bound; rewrite normrM gtr0_norm //.
  by apply: le_trans hh; rewrite ler_wpmul2l ?(ltW cp) // le_supnorm.
- by rewrite sumr_const card_prod !card_ord -[_ *+ _]mulr_natl divff // gt_eqF.
Qed.

Let M0 : 0 <= M.
Proof. by rewrite addr_ge0 //; apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; rewrite addr_ge0. Qed.

Theorem concave_limit g C (near : nat -> 'M[F]_(p, q)) : 0 <= g -> g < 1 ->
  (forall N, 0 <= G (near N)) -> (forall N, supnorm (T - near N) <= g ^+ N * C) -> 0 <= G T.
Proof.
move=> g0 g1 pos close; rewrite leNgt; apply/negP=> neg.
have a0 : 0 < M + 1 - G T by move: M0 neg; lra.
pose e := - G T / (M + 1 - G T).
have e0 : 0 < e by rewrite divr_gt0 // oppr_gt0.
have e1 : e <= 1 by rewrite ler_pdivr_mulr // mul1r; move: M0; lra.
have [N hN] := geom_small g0 g1 ((p * q)%:R * C) e0.
pose h := T - near N.
have small : (p * q)%:R * supnorm h <= e.
  apply: le_trans (hN N (leqnn N)); rewrite mulrCA ler_wpmul2l ?ler0n //; exact: close.
have far : - M <= G (T + ((1 - e) / e) *: h).
  apply: box_bound; apply: le_trans (_ : (p * q)%:R * (e^-1 * supnorm h) <= _).
    rewrite ler_wpmul2l ?ler0n //; apply: le_trans (supnormZ _ _) _; rewrite ler_wpmul2r ?supnorm_ge0 //.
    have i0 : 0 <= e^-1 by rewrite invr_ge0 ltW.
    have n0 : 0 <= 1 - e by rewrite subr_ge0.
    by rewrite (ger0_norm (mulr_ge0 n0 i0)); apply: ler_pimull => //; rewrite ler_subl_addr ler_addl ltW.
  by rewrite mulrCA mulrC ler_pdivr_mulr // mul1r.
have := cG (t := e) (T + ((1 - e) / e) *: h) (near N); rewrite (ltW e0) e1 => /(_ isT).
have -> : e *: (T + ((1 - e) / e) *: h) + (1 - e) *: near N = T.
  by rewrite /h; apply/matrixP=> i j; rewrite !mxE; move: (T i j) (near N i j) => a b; field; rewrite gt_eqF.
have h1 : 0 <= (1 - e) * G (near N) by rewrite mulr_ge0 ?subr_ge0.
have h2 : e * - M <= e * G (T + ((1 - e) / e) *: h) by rewrite ler_wpmul2l // ltW.
have e2 : e * (M + 1 - G T) = - G T by rewrite /e divfK // gt_eqF.
have h3 : 0 <= e * (1 - G T) by apply: mulr_ge0; [exact: ltW | move: neg; lra].
have h4 : 0 < e * (1 - G T) by apply: mulr_gt0 => //; move: neg; lra.
move: h1 h2 e2 h4; set A := G _; set B := G (near N); clear; nra.
Qed.
End Limit.
