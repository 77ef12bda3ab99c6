(* The min-kernel min(x_i, x_j) of non-negative numbers, and the kernel of the Brownian bridge. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section MinKernel.
Variable R : realFieldType.

Definition minmx n (x : 'I_n -> R) : 'M[R]_n := \matrix_(i, j) Order.min (x i) (x j).

Lemma min_split (m a b : R) : 0 < m -> 0 <= a -> 0 <= b ->
  (0 < a -> m <= a) -> (0 < b -> m <= b) ->
  Order.min a b = m * ((0 < a)%R%:R * (0 < b)%R%:R)
    + Order.min (a - m * (0 < a)%R%:R) (b - m * (0 < b)%R%:R).
Proof.
move=> m0; rewrite le_eqVlt => /orP[/eqP<-|a0]; rewrite le_eqVlt => /orP[/eqP<-|b0] ha hb.
- by rewrite ltxx !mulr0 !subr0 add0r.
- rewrite ltxx b0 !mul0r !mulr0 subr0 add0r mulr1.
  by rewrite !min_l // ?subr_ge0 ?hb // ltW.
- rewrite ltxx a0 !mulr0 subr0 add0r mulr1.
  by rewrite !min_r // ?subr_ge0 ?ha // ltW.
rewrite a0 b0 !mulr1; case: (leP a b) => ab.
  by rewrite min_l ?ler_add2r // addrC subrK.
by rewrite min_r ?ler_add2r ?(ltW ab) // addrC subrK.
Qed.

Theorem psd_min n (x : 'I_n -> R) : (forall i, 0 <= x i) -> psd (minmx x).
Proof.
have [k] := ubnP #|[pred i | 0 < x i]|; elim: k x => // k IH x; rewrite ltnS => le_k x0.
have [i0 /= hi0 | none] := pickP [pred i | 0 < x i]; last first.
  have h i : x i = 0 by apply/eqP; rewrite eq_le x0 andbT leNgt; apply/negbT/none.
  have -> : minmx x = 0; last exact: psd0.
  by apply/matrixP=> i j; rewrite !mxE !h minxx.
have [i1 /= hi1 min1] := @arg_minP _ _ _ i0 [pred i | 0 < x i] x hi0.
pose m := x i1; pose y i := x i - m * (0 < x i)%R%:R.
pose e : 'cV[R]_n := \col_i (0 < x i)%R%:R.
have -> : minmx x = m *: (e *m e^T) + minmx y.
  apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE.
  by apply: min_split => //; apply: min1.
apply: psdD; first by apply/psdZ/psd_gram/ltW.
apply: IH => [|i]; last first.
  rewrite /y; have [h | _] := boolP (0 < x i); last by rewrite mulr0 subr0.
  by rewrite mulr1 subr_ge0 min1.
apply: leq_trans le_k; apply: proper_card; apply/properP; split.
  apply/subsetP=> i; rewrite !inE /y; have [//|/negbTE nh] := boolP (0 < x i).
  by rewrite mulr0 subr0 nh.
by exists i1; rewrite !inE //= /y hi1 mulr1 subrr ltxx.
Qed.

End MinKernel.

Section Bridge.
Variables (R : realFieldType) (n : nat) (x : 'I_n -> R) (M : R).
Hypotheses (x0 : forall i, 0 <= x i) (xM : forall i, x i <= M) (M0 : 0 <= M).

(* Brownian bridge: Cauchy-Schwarz for the min-kernel with the extra point M *)
Theorem psd_bridge : psd (M *: minmx x - (\col_i x i) *m (\col_i x i)^T).
Proof.
move=> v; pose y i := if unlift ord0 i is Some j then x j else M.
have y0 i : 0 <= y i by rewrite /y; case: unliftP.
pose W : 'M[R]_(n, n.+1) := \matrix_(i, j) (j == lift ord0 i)%:R.
have rowW i : row i W = delta_mx 0 (lift ord0 i).
  by apply/rowP=> j; rewrite !mxE eqxx.
have WA m (A : 'M[R]_(n.+1, m)) i j : (W *m A) i j = A (lift ord0 i) j.
  by have := row_mul i W A => /rowP /(_ j); rewrite rowW -rowE !mxE.
have AW m (A : 'M[R]_(m, n.+1)) i j : (A *m W^T) i j = A i (lift ord0 j).
  by rewrite -[A *m W^T]trmxK trmx_mul trmxK mxE WA mxE.
have sy : (minmx y)^T = minmx y by apply/matrixP=> i j; rewrite !mxE minC.
have eW : W *m minmx y *m W^T = minmx x.
  by apply/matrixP=> i j; rewrite AW WA !mxE /y !liftK.
have eC : W *m minmx y *m (delta_mx 0 ord0)^T = \col_i x i.
  apply/colP=> i; rewrite -mulmxA WA trmx_delta -colE !mxE /y liftK unlift_none.
  by rewrite min_l.
have := cauchy_schwarz (v *m W) (delta_mx 0 ord0) sy (psd_min y0).
rewrite -form_conj eW form_delta [minmx y _ _]mxE minxx /y unlift_none.
rewrite {1}/form -!mulmxA (mulmxA W) eC => h.
by rewrite formD formN formZ form_outer -expr2 subr_ge0 mulrC.
Qed.
End Bridge.

