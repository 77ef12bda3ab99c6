(* The spectral theorem for real symmetric matrices, of every size, over a real closed field:
   A = V' diag(l) V with V orthogonal, and the eigenvalues l in decreasing order.
   Vectors are rows: v A = l v. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_field.
From mathcomp Require Import complex.
From Krope Require Import psd.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* A complex eigenvalue a + ib of a real matrix, in real and imaginary parts. *)
Section ComplexEigenvalues.
Variables (R : rcfType) (n : nat) (A : 'M[R]_n).
Notation complexified := (map_mx (real_complex R) A).

Lemma map_Re_mul (v : 'rV[R[i]]_n) :
  map_mx (@complex.Re R) (v *m complexified) = map_mx (@complex.Re R) v *m A.
Proof.
apply/rowP=> j; rewrite !mxE raddf_sum; apply: eq_bigr => k _.
by rewrite !mxE; case: (v 0 k) => x y /=; rewrite mulr0 subr0.
Qed.

Lemma map_Im_mul (v : 'rV[R[i]]_n) :
  map_mx (@complex.Im R) (v *m complexified) = map_mx (@complex.Im R) v *m A.
Proof.
apply/rowP=> j; rewrite !mxE raddf_sum; apply: eq_bigr => k _.
by rewrite !mxE; case: (v 0 k) => x y /=; rewrite mulr0 add0r.
Qed.

Lemma eigenvalue_split z : eigenvalue complexified z ->
  exists u w : 'rV[R]_n, [/\ (u != 0) || (w != 0),
    u *m A = complex.Re z *: u - complex.Im z *: w &
    w *m A = complex.Re z *: w + complex.Im z *: u].
Proof.
case/eigenvalueP=> v vA nz; exists (map_mx (@complex.Re R) v), (map_mx (@complex.Im R) v); split.
- rewrite -negb_and; apply: contra nz => /andP[/eqP/rowP u0 /eqP/rowP w0]; apply/eqP/rowP=> j.
  by move: (u0 j) (w0 j); rewrite !mxE; case: (v 0 j) => x y /= -> ->.
- rewrite -map_Re_mul vA; apply/rowP=> j; rewrite !mxE.
  by case: z {vA} => a b; case: (v 0 j).
- rewrite -map_Im_mul vA; apply/rowP=> j; rewrite !mxE.
  by case: z {vA} => a b; case: (v 0 j).
Qed.

Lemma eigenvalue_exists : (0 < n)%N -> exists z, eigenvalue complexified z.
Proof.
move=> n0; have [|z rz] := closed_rootP (char_poly complexified) _.
  by rewrite size_char_poly eqSS -lt0n.
by exists z; rewrite eigenvalue_root_char.
Qed.
End ComplexEigenvalues.

Section Symmetric.
Variables (R : rcfType) (n : nat).

(* Eigenvalues of a symmetric matrix are real. *)
Lemma symmetric_eigenvalue_real (A : 'M[R]_n) (u w : 'rV[R]_n) a b : A^T = A ->
  (u != 0) || (w != 0) -> u *m A = a *: u - b *: w -> w *m A = a *: w + b *: u -> b = 0.
Proof.
move=> sA nz uA wA; have := form_sym u w sA; rewrite {1}/form uA {1}/form wA.
rewrite -scaleNr !mulmxDl -!scalemxAl.
have F (x y : 'rV[R]_n) : (x *m y^T) 0 0 = form 1%:M x y by rewrite /form mulmx1.
have D (X Y : 'M[R]_1) : (X + Y) 0 0 = X 0 0 + Y 0 0 by rewrite mxE.
have Z c (X : 'M[R]_1) : (c *: X) 0 0 = c * X 0 0 by rewrite mxE.
rewrite !D !Z !F (form_sym w u (trmx1 _ _)) => /addrI e.
have /eqP : b * (sqnorm u + sqnorm w) = 0 by rewrite mulrDr -e mulNr addNr.
rewrite mulf_eq0 => /orP[/eqP // |].
rewrite paddr_eq0 ?sqnorm_ge0 // => /andP[/eqP/sqnorm_eq0 u0 /eqP/sqnorm_eq0 w0].
by move: nz; rewrite u0 w0 eqxx.
Qed.

(* A non-zero symmetric matrix has a unit eigenvector with a non-zero eigenvalue: an eigenvector
   of the matrix restricted to its own row space. *)
Lemma symmetric_eigenvector (A : 'M[R]_n) : A^T = A -> A != 0 ->
  exists l (v : 'rV[R]_n), [/\ l != 0, v *m v^T = 1%:M & v *m A = l *: v].
Proof.
move=> sA nzA; pose B := row_base A.
have rA0 : (0 < \rank A)%N by rewrite lt0n mxrank_eq0.
have freeB : row_free B by apply: row_base_free.
have [M BA] : exists M, B *m A = M *m B.
  by apply/submxP; apply: submx_trans (submxMl _ _) _; rewrite eq_row_base.
have [z /eigenvalue_split[u [w [nz uM wM]]]] := eigenvalue_exists M rA0.
move: (complex.Re z) (complex.Im z) uM wM => a b uM wM.
have injB (x : 'rV[R]_(\rank A)) : (x *m B == 0) = (x == 0).
  apply/eqP/eqP=> [e | ->]; last by rewrite mul0mx.
  by apply: (row_free_inj freeB); rewrite /= e mul0mx.
have uA : (u *m B) *m A = a *: (u *m B) - b *: (w *m B).
  by rewrite -mulmxA BA mulmxA uM mulmxBl -!scalemxAl.
have wA : (w *m B) *m A = a *: (w *m B) + b *: (u *m B).
  by rewrite -mulmxA BA mulmxA wM mulmxDl -!scalemxAl.
have b0 : b = 0.
  by apply: (symmetric_eigenvalue_real sA _ uA wA); rewrite !injB.
have [v [v0 vB vA]] : exists v : 'rV[R]_n, [/\ v != 0, (v <= A)%MS & v *m A = a *: v].
  have inA x : (x *m B <= A)%MS by rewrite -(eq_row_base A) submxMl.
  case/orP: nz => h; [exists (u *m B) | exists (w *m B)]; split; rewrite ?injB //.
    by rewrite uA b0 scale0r subr0.
  by rewrite wA b0 scale0r addr0.
have N0 := sqnorm_gt0 v0; exists a, ((Num.sqrt (sqnorm v))^-1 *: v); split.
- apply: contra v0 => /eqP a0; apply/eqP/sqnorm_eq0; case/submxP: vB => x ex.
  have vA0 : A *m v^T = 0 by rewrite -sA -trmx_mul vA a0 scale0r trmx0.
  by rewrite /sqnorm /form mulmx1 {1}ex -mulmxA vA0 mulmx0 mxE.
- rewrite linearZ -scalemxAl -scalemxAr scalerA /= -invfM -expr2 sqr_sqrtr ?ltW //.
  have -> : v *m v^T = (sqnorm v)%:M by rewrite [LHS]mx11_scalar /sqnorm /form mulmx1.
  by rewrite scale_scalar_mx mulVf ?gt_eqF.
- by rewrite -scalemxAl vA !scalerA mulrC.
Qed.

(* Deflation, by induction on the rank: the eigenpairs with non-zero eigenvalue. *)
Theorem spectral_thin (A : 'M[R]_n) : A^T = A ->
  exists k (V : 'M[R]_(k, n)) (l : 'rV[R]_k),
    [/\ V *m V^T = 1%:M, A = V^T *m diag_mx l *m V & (V <= A)%MS].
Proof.
have [N] := ubnP (\rank A); elim: N A => // N IH A; rewrite ltnS => rA sA.
have [-> | nzA] := eqVneq A 0.
  exists 0%N, 0, 0; split; rewrite ?mulmx0 ?sub0mx //.
  by apply/matrixP=> -[].
have [l [v [l0 vv vA]]] := symmetric_eigenvector sA nzA.
pose B := A - l *: (v^T *m v).
have sB : B^T = B by rewrite linearB linearZ /= trmx_mul trmxK sA.
have vB : v *m B = 0 by rewrite mulmxBr vA -scalemxAr mulmxA vv mul1mx subrr.
have Bv : B *m v^T = 0 by rewrite -sB -trmx_mul vB trmx0.
have v_sub_A : (v <= A)%MS.
  by rewrite -[v]scale1r -(mulVf l0) -scalerA -vA scalemx_sub ?submxMl.
have BA : (B <= A)%MS.
  by rewrite addmx_sub // -scaleNr scalemx_sub // (submx_trans (submxMl _ _) v_sub_A).
have v_not_B : ~~ (v <= B)%MS.
  apply/negP=> /submxP[X eX]; move: vv; rewrite {1}eX -mulmxA Bv mulmx0.
  by move/matrixP/(_ 0 0)/eqP; rewrite !mxE eq_sym oner_eq0.
have rB : (\rank B < \rank A)%N.
  by rewrite rank_ltmx // ltmxE BA /=; apply: contra v_not_B; apply: submx_trans.
have [k [V [m [VV eB VB]]]] := IH B (leq_trans rB rA) sB.
have Vv : V *m v^T = 0 by case/submxP: VB => X ->; rewrite -mulmxA Bv mulmx0.
have vV : v *m V^T = 0 by rewrite -[v]trmxK -trmx_mul Vv trmx0.
exists (1 + k)%N, (col_mx v V), (row_mx (const_mx l) m); split.
- by rewrite tr_col_mx mul_col_row vv vV Vv VV -scalar_mx_block.
- rewrite tr_col_mx diag_mx_row mul_row_block !mulmx0 addr0 add0r mul_row_col -eB.
  by rewrite diag_const_mx mul_mx_scalar -scalemxAl addrC subrK.
- by rewrite col_mx_sub v_sub_A (submx_trans VB BA).
Qed.

Lemma shift_unit (A : 'M[R]_n) : exists c, A + c%:M \in unitmx.
Proof.
pose p := char_poly (- A); have p0 : p != 0 by rewrite monic_neq0 ?char_poly_monic.
pose s := [seq i%:R : R | i <- iota 0 (size p)].
have us : uniq s by rewrite map_inj_uniq ?iota_uniq // => i j /eqP; rewrite eqr_nat => /eqP.
have /allPn[c _ nc] : ~~ all (root p) s.
  by apply/negP=> /(max_poly_roots p0)/(_ us); rewrite size_map size_iota ltnn.
exists c; move: nc; rewrite -eigenvalue_root_char; apply: contraR => sing.
have [v /eqP vA v0] : exists2 v : 'rV[R]_n, v *m (A + c%:M) == 0 & v != 0.
  move: sing; rewrite -row_free_unit -kermx_eq0 => /rowV0Pn[v /sub_kermxP e v0].
  by exists v; rewrite ?e.
apply/eigenvalueP; exists v => //; move: vA; rewrite mulmxDr mul_mx_scalar mulmxN => /eqP.
by rewrite addrC addr_eq0 => /eqP.
Qed.

(* The spectral theorem: all n eigenpairs. *)
Theorem spectral_theorem (A : 'M[R]_n) : A^T = A ->
  exists (V : 'M[R]_n) (l : 'rV[R]_n), V *m V^T = 1%:M /\ A = V^T *m diag_mx l *m V.
Proof.
move=> sA; have [c uA] := shift_unit A.
have sB : (A + c%:M)^T = A + c%:M by rewrite linearD /= sA tr_scalar_mx.
have [k [V [l [VV eB _]]]] := spectral_thin sB.
have kn : k = n.
  apply/eqP; rewrite eqn_leq; apply/andP; split.
    have : row_free V by apply/row_freeP; exists V^T.
    by rewrite /row_free => /eqP <-; apply: rank_leq_col.
  by rewrite -[X in (X <= _)%N](mxrank_unit uA) eB; apply: leq_trans (mxrankM_maxr _ _) (rank_leq_row _).
subst k; have VV' := mulmx1C VV.
exists V, (l - const_mx c); split=> //.
rewrite linearB /= diag_const_mx mulmxBr mulmxBl -eB mul_mx_scalar -scalemxAl VV'.
by rewrite scalemx1 addrK.
Qed.

(* The same with the eigenvalues in decreasing order. *)
Theorem spectral_sorted (A : 'M[R]_n) : A^T = A ->
  exists (V : 'M[R]_n) (l : 'rV[R]_n), [/\ V *m V^T = 1%:M, A = V^T *m diag_mx l *m V
    & forall i j : 'I_n, (i <= j)%N -> l 0 j <= l 0 i].
Proof.
case/spectral_theorem=> V [l [VV eA]].
pose t := [tuple l 0 i | i < n].
have /tuple_permP[p ep] : perm_eq (sort_tuple (fun x y : R => y <= x) t) t by rewrite /= perm_sort.
have lp i : l 0 (p i) = nth 0 (sort (fun x y : R => y <= x) t) i.
  have -> : sort (fun x y : R => y <= x) t = [tuple tnth t (p i) | i < n] by rewrite -ep.
  by rewrite -tnth_nth !tnth_mktuple.
exists (row_perm p V), (col_perm p l); split.
- apply/matrixP=> i j; move/matrixP/(_ (p i) (p j)): VV; rewrite !mxE (inj_eq (@perm_inj _ p)) => <-.
  by apply: eq_bigr => k _; rewrite !mxE.
- apply/matrixP=> i j; rewrite eA !mxE (reindex_inj (@perm_inj _ p)); apply: eq_bigr => k _.
  by rewrite !mul_mx_diag !mxE.
- move=> i j ij; rewrite !mxE !lp.
  have tot : total (fun x y : R => y <= x) by move=> x y; apply: le_total.
  have tr : transitive (fun x y : R => y <= x) by move=> x y z /[swap]; apply: le_trans.
  apply: (sorted_leq_nth tr _ 0 (sort_sorted tot t)) => //; rewrite inE size_sort size_tuple //.
Qed.
End Symmetric.

