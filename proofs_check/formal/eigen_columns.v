(* Complex eigenvalues by columns as well as by rows, and those of a substochastic matrix: at most 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain lspe.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Columns.
Variables (F : realFieldType) (d : nat) (L : 'M[F]_d) (a b : F).

Lemma singular_rows m (A : 'M[F]_m) : (exists2 v : 'rV[F]_m, v != 0 & v *m A = 0) <-> A \notin unitmx.
Proof.
rewrite -row_free_unit -kermx_eq0; split=> [[v v0 e] | /rowV0Pn[v /sub_kermxP e v0]]; last by exists v.
by apply/rowV0Pn; exists v => //; apply/sub_kermxP.
Qed.

Lemma singular_columns m (A : 'M[F]_m) : (exists2 v : 'cV[F]_m, v != 0 & A *m v = 0) <-> A \notin unitmx.
Proof.
rewrite -unitmx_tr; apply: iff_trans (singular_rows A^T); split=> [[v v0 e] | [v v0 e]]; exists v^T.
- by rewrite trmx_eq0.
- by rewrite -trmx_mul e trmx0.
- by rewrite trmx_eq0.
- by apply: trmx_inj; rewrite trmx_mul trmxK e trmx0.
Qed.

(* one step of bookkeeping: s - t + z = 0 says s = t - z, entry by entry *)
Lemma entries_eq m p (s t z : 'M[F]_(m, p)) c e :
  s - c *: t + e *: z = 0 <-> s = c *: t - e *: z.
Proof. by split=> [/eqP|->]; [rewrite addr_eq0 subr_eq addrC => /eqP | rewrite addrAC subrK subrr]. Qed.

Lemma eigenvalue_columns : complex_eigenvalue L a b <->
  exists x y : 'cV[F]_d, [/\ (x != 0) || (y != 0), L *m x = a *: x + b *: y & L *m y = a *: y - b *: x].
Proof.
pose A := block_mx (L - a%:M) (- b%:M) b%:M (L - a%:M).
have rows u w : row_mx u w *m A = row_mx (u *m L - a *: u + b *: w) (w *m L - a *: w + (- b) *: u).
  rewrite /A mul_row_block mulmxN !mulmxBr !mul_mx_scalar scaleNr; congr row_mx; exact: addrC.
have cols x y : A *m col_mx x y = col_mx (L *m x - a *: x + (- b) *: y) (L *m y - a *: y + b *: x).
  rewrite /A mul_block_col mulNmx !mulmxBl !mul_scalar_mx scaleNr; congr col_mx; exact: addrC.
have NN m p (u w : 'M[F]_(m, p)) : a *: u - (- b) *: w = a *: u + b *: w by rewrite scaleNr opprK.
apply: (@iff_trans _ (A \notin unitmx)); last apply: (iff_trans (iff_sym (singular_columns A))).
  apply: iff_trans (singular_rows A); split=> [[u [w [nz eu ew]]] | [v v0 e]].
    exists (row_mx u w); first by rewrite row_mx_eq0 negb_and.
    by rewrite rows -row_mx0; congr row_mx; apply/entries_eq; rewrite ?NN.
  exists (lsubmx v), (rsubmx v); move: e v0; rewrite -{1 2}[v]hsubmxK rows row_mx_eq0 negb_and.
  by rewrite -row_mx0 => /eq_row_mx[/entries_eq e1 /entries_eq e2] nz; rewrite -NN.
split=> [[v v0 e] | [x [y [nz ex ey]]]]; last first.
  exists (col_mx x y); first by rewrite col_mx_eq0 negb_and.
  by rewrite cols -col_mx0; congr col_mx; apply/entries_eq; rewrite ?NN.
exists (usubmx v), (dsubmx v); move: e v0; rewrite -{1 2}[v]vsubmxK cols col_mx_eq0 negb_and.
by rewrite -col_mx0 => /eq_col_mx[/entries_eq e1 /entries_eq e2] nz; rewrite -NN.
Qed.
End Columns.

Section Substochastic.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n).
Hypothesis subP : substochastic P.

(* Jensen for the square *)
Lemma mean_square (x : 'cV[F]_n) i : (P *m x) i 0 ^+ 2 <= \sum_j P i j * x j 0 ^+ 2.
Proof.
have [P0 P1] := subP; set m := (P *m x) i 0.
have e : \sum_j P i j * (x j 0 - m) ^+ 2 = \sum_j P i j * x j 0 ^+ 2 - 2%:R * m ^+ 2 + m ^+ 2 * \sum_j P i j.
  have em : m = \sum_j P i j * x j 0 by rewrite /m mxE.
  have -> : 2%:R * m ^+ 2 = \sum_j 2%:R * m * (P i j * x j 0) by rewrite -mulr_sumr -em expr2 mulrA.
  rewrite mulr_sumr -sumrB -big_split /=; apply: eq_bigr => j _.
  by move: (P i j) (x j 0) => p y; ring.
have h : 0 <= \sum_j P i j * (x j 0 - m) ^+ 2 by apply: sumr_ge0 => j _; rewrite mulr_ge0 ?sqr_ge0.
rewrite -subr_ge0; rewrite e in h; apply: le_trans h _.
rewrite -addrA ler_add2l; apply: le_trans (_ : - (2%:R * m ^+ 2) + m ^+ 2 <= _).
  by rewrite ler_add2l ler_pimulr ?sqr_ge0.
by rewrite mulr_natl mulr2n opprD addrNK.
Qed.

Lemma substochastic_eigenvalue (a b : F) (x y : 'cV[F]_n) : (x != 0) || (y != 0) ->
  P *m x = a *: x + b *: y -> P *m y = a *: y - b *: x -> a ^+ 2 + b ^+ 2 <= 1.
Proof.
move=> nz ex ey; pose s i := x i 0 ^+ 2 + y i 0 ^+ 2.
have s0 i : 0 <= s i by rewrite addr_ge0 ?sqr_ge0.
have [i0 p0] : exists i, 0 < s i.
  have [/existsP // | /existsPn none] := boolP [exists i, 0 < s i].
  have z i : s i = 0 by apply/eqP; rewrite eq_le s0 andbT leNgt none.
  have zz i : (x i 0 ^+ 2 == 0) && (y i 0 ^+ 2 == 0) by rewrite -paddr_eq0 ?sqr_ge0 // -/(s i) z.
  by case/orP: nz => /negP[]; apply/eqP/colP=> i; have := zz i; rewrite !sqrf_eq0 mxE => /andP[/eqP ex0 /eqP ey0].
have [i1 _ max1] := @arg_maxP _ _ _ i0 xpredT s isT.
have p1 : 0 < s i1 by apply: lt_le_trans (max1 i0 isT).
have e : (a ^+ 2 + b ^+ 2) * s i1 = (P *m x) i1 0 ^+ 2 + (P *m y) i1 0 ^+ 2.
  by rewrite ex ey !mxE /s; move: (x i1 0) (y i1 0) => u w; ring.
rewrite -(ler_pmul2r p1) mul1r e; apply: le_trans (ler_add (mean_square x i1) (mean_square y i1)) _.
have [P0 P1] := subP; rewrite -big_split /=; apply: le_trans (_ : \sum_j P i1 j * s i1 <= _).
  by apply: ler_sum => j _; rewrite -mulrDr ler_wpmul2l //; apply: max1.
by rewrite -mulr_suml ler_pimull // ltW.
Qed.
End Substochastic.
