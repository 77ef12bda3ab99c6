(* Definiteness of the min-kernel and of the reward kernel, sharp and with a rate. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm min_kernel reward_kernel.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section MinKernel.
Variable F : realFieldType.

(* sums over the indices whose number is positive: of v, and of its squares *)
Definition mass n (x : 'I_n -> F) (v : 'rV[F]_n) : F := \sum_i v 0 i * (0 < x i)%R%:R.
Definition mass2 n (x : 'I_n -> F) (v : 'rV[F]_n) : F := \sum_i v 0 i ^+ 2 * (0 < x i)%R%:R.

(* take the least positive number away from all positive ones: one square comes out *)
Lemma min_peel n (x : 'I_n -> F) i1 (v : 'rV[F]_n) : 0 < x i1 ->
  (forall i, 0 <= x i) -> (forall i, 0 < x i -> x i1 <= x i) ->
  form (minmx x) v v = x i1 * mass x v ^+ 2 + form (minmx (fun i => x i - x i1 * (0 < x i)%R%:R)) v v.
Proof.
move=> p1 x0 least; set y := fun i => _; pose e : 'cV[F]_n := \col_i (0 < x i)%R%:R.
have -> : minmx x = x i1 *: (e *m e^T) + minmx y.
  apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE.
  by apply: min_split => //; apply: least.
rewrite formD formZ form_outer -expr2; congr (_ * _ ^+ 2 + _).
by rewrite mxE; apply: eq_bigr => i _; rewrite mxE.
Qed.

(* a quarter of the smallest increment *)
Lemma min_kernel_rate n (x : 'I_n -> F) (e : F) v : 0 < e -> (forall i, 0 <= x i) ->
  (forall i, 0 < x i -> e <= x i) ->
  (forall i j, i != j -> 0 < x i -> 0 < x j -> e <= `|x i - x j|) ->
  e / 4%:R * mass2 x v + e / 2%:R * mass x v ^+ 2 <= form (minmx x) v v.
Proof.
move=> e0; have [k] := ubnP #|[pred i | 0 < x i]|; elim: k x => // k IH x; rewrite ltnS => le_k x0 xe xd.
have [i0 /= hi0 | none] := pickP [pred i | 0 < x i]; last first.
  have z i : (0 < x i)%R = false by apply: none.
  have -> : mass x v = 0 by apply: big1 => i _; rewrite z mulr0.
  have -> : mass2 x v = 0 by apply: big1 => i _; rewrite z mulr0.
  by rewrite expr0n !mulr0 addr0; apply: psd_min.
have [i1 /= hi1 min1] := @arg_minP _ _ _ i0 [pred i | 0 < x i] x hi0.
rewrite (min_peel v hi1 x0 min1); set y := fun i => _.
have yi1 : y i1 = 0 by rewrite /y hi1 mulr1 subrr.
have gap i : i != i1 -> 0 < x i -> y i = x i - x i1 /\ e <= y i.
  move=> ne p; rewrite /y p mulr1; split=> //.
  by have := xd i i1 ne p hi1; rewrite ger0_norm // subr_ge0 min1.
have yE i : (0 < y i)%R = (0 < x i)%R && (i != i1).
  have [-> | ne] := eqVneq i i1; first by rewrite yi1 ltxx andbF.
  rewrite andbT; have [p | np] := boolP (0 < x i).
    by have [_ ge] := gap i ne p; apply: lt_le_trans ge.
  by rewrite /y (negbTE np) mulr0 subr0; apply/negbTE.
have split1 (w : 'I_n -> F) : \sum_i w i * (0 < x i)%R%:R = w i1 + \sum_i w i * (0 < y i)%R%:R.
  rewrite (bigD1 i1) //= hi1 mulr1 [X in _ = _ + X](bigD1 i1) //= yi1 ltxx mulr0 add0r.
  by congr (_ + _); apply: eq_bigr => i ne; rewrite yE ne andbT.
have := split1 (fun i => v 0 i); rewrite -/(mass x v) -/(mass y v) => m1.
have := split1 (fun i => v 0 i ^+ 2); rewrite -/(mass2 x v) -/(mass2 y v) => m2.
have IHy : e / 4%:R * mass2 y v + e / 2%:R * mass y v ^+ 2 <= form (minmx y) v v.
  apply: IH => [||i|i j ne]; last 2 first.
  - by rewrite yE => /andP[p ne]; case: (gap i ne p).
  - rewrite !yE => /andP[pi ni] /andP[pj nj]; have [-> _] := gap i ni pi; have [-> _] := gap j nj pj.
    have -> : x i - x i1 - (x j - x i1) = x i - x j by move: (x i) (x j) (x i1) => a b c; ring.
    exact: xd.
  - apply: leq_trans le_k; apply: proper_card; apply/properP; split.
      by apply/subsetP=> i; rewrite !inE yE => /andP[].
    by exists i1; rewrite !inE //= yi1 ltxx.
  move=> i; have [-> | ne] := eqVneq i i1; first by rewrite yi1.
  have [p | np] := boolP (0 < x i); first by have [_ ge] := gap i ne p; apply: le_trans ge; apply: ltW.
  by rewrite /y (negbTE np) mulr0 subr0.
apply: le_trans (ler_add (lexx _) IHy); rewrite -subr_ge0.
have h1 : 0 <= (x i1 - e) * mass x v ^+ 2 by rewrite mulr_ge0 ?sqr_ge0 // subr_ge0 xe.
have h2 : 0 <= e / 4%:R * (mass x v + mass y v) ^+ 2 by rewrite mulr_ge0 ?sqr_ge0 // divr_ge0 ?ler0n // ltW.
apply: le_trans (addr_ge0 h1 h2) _; rewrite m2 {}m1.
move: (v 0 i1) (mass y v) (mass2 y v) (x i1) => w a b c {h1 h2 IHy}; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by field.
Qed.

Lemma least_gap (s : seq F) : exists2 e, 0 < e & forall a, a \in s -> 0 < a -> e <= a.
Proof.
elim: s => [|a s [e e0 he]]; first by exists 1.
have [p | np] := boolP (0 < a).
  exists (Order.min a e) => [|b]; first by rewrite lt_minr p.
  by rewrite inE => /orP[/eqP -> _|/he h /h hb]; rewrite le_minl ?lexx ?hb ?orbT.
exists e => // b; rewrite inE => /orP[/eqP -> /idPn|/he //].
by rewrite np.
Qed.
End MinKernel.

(* min(x_i, x_j) is positive definite for distinct positive x, its least eigenvalue at least a quarter of the
   smallest increment e *)
Theorem prop_min_kernel_pd (F : realFieldType) n (x : 'I_n -> F) :
  (forall i, 0 < x i) -> injective x ->
  pd (\matrix_(i, j) Order.min (x i) (x j))
  /\ forall e, (forall i, e <= x i) -> (forall i j, i != j -> e <= `|x i - x j|) ->
       psd (\matrix_(i, j) Order.min (x i) (x j) - (e / 4%:R) *: 1%:M).
Proof.
move=> xp inj; have x0 i : 0 <= x i by apply: ltW.
have m2 v : mass2 x v = sqnorm v by rewrite sqnormE; apply: eq_bigr => i _; rewrite xp mulr1.
have rate e v : 0 < e -> (forall i, e <= x i) -> (forall i j, i != j -> e <= `|x i - x j|) ->
    e / 4%:R * sqnorm v <= form (minmx x) v v.
  move=> e0 xe xd; apply: le_trans (min_kernel_rate v e0 x0 (fun i _ => xe i) (fun i j ne _ _ => xd i j ne)).
  by rewrite m2 ler_addl mulr_ge0 ?sqr_ge0 // divr_ge0 ?ler0n // ltW.
split=> [v v0 | e xe xd v].
  have [e e0 he] := least_gap ([seq x i | i <- enum 'I_n] ++ [seq `|x p.1 - x p.2| | p <- enum {: 'I_n * 'I_n}]).
  apply: lt_le_trans (rate e v e0 _ _) => [|i|i j ne].
  - by rewrite mulr_gt0 ?sqnorm_gt0 // divr_gt0 ?ltr0n.
  - by apply: he => //; rewrite mem_cat map_f ?mem_enum.
  apply: he; first by rewrite mem_cat; apply/orP; right; apply/mapP; exists (i, j); rewrite ?mem_enum.
  by rewrite normr_gt0 subr_eq0; apply: contra ne => /eqP /inj ->.
rewrite formD formN formZ subr_ge0 -/(sqnorm v).
have [e0 | e0] := leP e 0; last exact: rate.
apply: le_trans (psd_min x0 v); rewrite mulr_le0_ge0 ?sqnorm_ge0 //.
by rewrite mulr_le0_ge0 // invr_ge0 ler0n.
Qed.

(* the reward kernel is positive semidefinite iff R is at least half the range of the rewards *)
Theorem lemma_k1_psd (F : realFieldType) n (r : 'cV[F]_n) (R : F) : 0 < R ->
  psd (reward_kernel r R) <-> spread r / 2%:R <= R.
Proof.
move=> R0; rewrite ler_pdivr_mulr ?ltr0n // mulrC; split=> [h|]; last exact: psd_reward_kernel.
case: n r h => [|n] r h.
  by apply: supnorm_le => [|[]//]; rewrite mulr_ge0 ?ler0n ?ltW.
have [x [y [e _ _]]] := spread_attained r.
have s := reward_kernel_sym r R.
have := h (delta_mx 0 x + delta_mx 0 y); have := form_sq (delta_mx 0 x) (delta_mx 0 y) 1 1 s.
rewrite !scale1r => ->; rewrite !form_delta !reward_kernel_diag mxE distrC -e.
rewrite ger0_norm ?spread_ge0 // => h2.
have : 0 <= (2%:R * R - spread r) * (2%:R / R).
  apply: le_trans h2 _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by move: (spread r) => t; field; rewrite gt_eqF.
by rewrite pmulr_lge0 ?divr_gt0 ?ltr0n // subr_ge0.
Qed.
