(* Farkas' lemma over any real field, as a choice between two witnesses. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Farkas.
Variables (F : realFieldType) (n : nat).

(* b is a combination of the rows of A with weights >= 0, or a column x has A x <= 0 and b x > 0 *)
Theorem farkas m (A : 'M[F]_(m, n)) (b : 'rV[F]_n) :
  (exists2 w : 'rV[F]_m, (forall i, 0 <= w 0 i) & w *m A = b) \/
  (exists2 x : 'cV[F]_n, (forall i, (A *m x) i 0 <= 0) & 0 < (b *m x) 0 0).
Proof.
elim: m A b => [|m IH] A b.
  have [b0 | nz] := eqVneq b 0; first by left; exists 0 => [[]//|]; rewrite mul0mx b0.
  right; exists b^T => [[]//|]; rewrite mxE lt_neqAle sumr_ge0 ?andbT => [|i _]; last by rewrite mxE -expr2 sqr_ge0.
  rewrite eq_sym; apply: contra nz => /eqP e; apply/eqP/rowP=> i; rewrite [RHS]mxE; apply/eqP.
  rewrite -sqrf_eq0 expr2 -{2}[b]trmxK [(_^T) 0 i]mxE; apply/eqP.
  by apply: (psumr_eq0P _ e) => // j _; rewrite mxE -expr2 sqr_ge0.
rewrite -[m.+1]/(1 + m)%N in A *; rewrite -[A]vsubmxK; move: (usubmx A) (dsubmx A) => a {}A.
have lift0 (w : 'rV[F]_m) c : 0 <= c -> (forall i, 0 <= w 0 i) ->
    forall i, 0 <= (row_mx (c%:M : 'M[F]_1) w) 0 i.
  move=> c0 w0 i; case: (splitP i) => j ij.
    have -> : i = lshift m j by apply: val_inj.
    by rewrite row_mxEl !ord1 mxE eqxx mulr1n.
  have -> : i = rshift 1 j by apply: val_inj.
  by rewrite row_mxEr.
have lift_le (x : 'cV[F]_n) : (a *m x) 0 0 <= 0 -> (forall i, (A *m x) i 0 <= 0) ->
    forall i, (col_mx a A *m x) i 0 <= 0.
  move=> a0 A0 i; rewrite mul_col_mx; case: (splitP i) => j ij.
    have -> : i = lshift m j by apply: val_inj.
    by rewrite col_mxEu !ord1.
  have -> : i = rshift 1 j by apply: val_inj.
  by rewrite col_mxEd.
have [[w w0 wA] | [x Ax bx]] := IH A b.
  left; exists (row_mx (0%:M : 'M[F]_1) w); first exact: lift0.
  by rewrite mul_row_col mul_scalar_mx scale0r add0r.
have [ax | ax] := leP ((a *m x) 0 0) 0; first by right; exists x => //; apply: lift_le.
pose y := ((a *m x) 0 0)^-1 *: x.
have ay : a *m y = 1%:M by rewrite -scalemxAr {2}[a *m x]mx11_scalar scale_scalar_mx mulVf ?gt_eqF.
have Ay i : (A *m y) i 0 <= 0 by rewrite -scalemxAr mxE mulr_ge0_le0 // invr_ge0 ltW.
have by0 : 0 < (b *m y) 0 0 by rewrite -scalemxAr mxE mulr_gt0 // invr_gt0.
have [[w w0 wA] | [z Az bz]] := IH (A - A *m y *m a) (b - b *m y *m a).
  left; pose c := (b *m y - w *m A *m y) 0 0; exists (row_mx (c%:M : 'M[F]_1) w).
    apply: lift0 => //; rewrite /c mxE addr_ge0 ?(ltW by0) // mxE oppr_ge0 -mulmxA mxE.
    by rewrite -oppr_ge0 -sumrN; apply: sumr_ge0 => i _; rewrite -mulrN mulr_ge0 // oppr_ge0.
  rewrite mul_row_col -mx11_scalar mulmxBl -addrA [- _ + _]addrC.
  by move: wA; rewrite mulmxBr !mulmxA => ->; rewrite addrC subrK.
have az : a *m z = ((a *m z) 0 0)%:M by apply: mx11_scalar.
have move_z p (B : 'M[F]_(p, n)) : B *m (z - (a *m z) 0 0 *: y) = (B - B *m y *m a) *m z.
  by rewrite mulmxBr mulmxBl -scalemxAr -[X in _ = _ - X]mulmxA [in RHS]az mul_mx_scalar.
right; exists (z - (a *m z) 0 0 *: y); last by rewrite move_z.
by apply: lift_le => [|i]; rewrite move_z // ay mul1mx subrr mul0mx mxE.
Qed.
End Farkas.
