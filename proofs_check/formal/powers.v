(* Powers of a real matrix vanish when every complex eigenvalue is below 1 in modulus. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_field.
From mathcomp Require Import complex ring.
From Krope Require Import psd supnorm lspe spectral.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* real and imaginary parts apart say the same as an eigenvalue over the complex numbers *)
Lemma complex_eigenvalueP (R : rcfType) n (L : 'M[R]_n) (a b : R) :
  complex_eigenvalue L a b <-> eigenvalue (map_mx (real_complex R) L) (a +i* b)%C.
Proof.
split=> [[u [w [nz eu ew]]] | /eigenvalue_split //].
pose v : 'rV[R[i]]_n := \row_j (u 0 j +i* w 0 j)%C.
have eRe : map_mx (@complex.Re R) v = u by apply/rowP=> j; rewrite !mxE.
have eIm : map_mx (@complex.Im R) v = w by apply/rowP=> j; rewrite !mxE.
apply/eigenvalueP; exists v.
  apply/rowP=> j; have /rowP/(_ j) := map_Re_mul L v; have /rowP/(_ j) := map_Im_mul L v.
  rewrite eRe eIm eu ew ![map_mx _ _ _ _]mxE; move: (_ *m _) => X; rewrite !mxE.
  by case: (X 0 j) => x y /= -> ->; congr (_ +i* _)%C.
apply: contraTneq nz => v0; rewrite negb_or !negbK -eRe -eIm v0.
by apply/andP; split; apply/eqP/rowP=> j; rewrite !mxE.
Qed.

(* from some step on the sequence is within e of 0, for every e > 0 *)
Definition vanishes (F : realFieldType) (a : nat -> F) :=
  forall e, 0 < e -> exists N, forall t, (N <= t)%N -> a t <= e.

Section Sequences.
Variable F : archiFieldType.

Lemma vanishes_driven (a b : nat -> F) (p : F) : 0 <= p -> p < 1 ->
  (forall t, a t.+1 <= p * a t + b t) -> vanishes b -> vanishes a.
Proof.
move=> p0 p1 step hb e e0; have q0 : 0 < 1 - p by rewrite subr_gt0.
have e2 : 0 < e / 2%:R by rewrite divr_gt0 ?ltr0n.
have [N hN] := hb _ (mulr_gt0 q0 e2).
have bound k : a (N + k)%N <= p ^+ k * a N + e / 2%:R.
  elim: k => [|k IH]; first by rewrite addn0 expr0 mul1r ler_addl ltW.
  rewrite addnS; apply: le_trans (step _) _.
  apply: le_trans (_ : p * (p ^+ k * a N + e / 2%:R) + (1 - p) * (e / 2%:R) <= _).
    by rewrite ler_add ?ler_wpmul2l // hN // leq_addr.
  rewrite exprS le_eqVlt; apply/orP; left; apply/eqP.
  by move: (p ^+ k) (a N) (e / 2%:R) => x y z; ring.
have [M hM] := geom_small p0 p1 (a N) e2; exists (N + M)%N => t ht.
have Nt : (N <= t)%N by apply: leq_trans ht; apply: leq_addr.
rewrite -(subnKC Nt); apply: le_trans (bound _) _.
have := hM (t - N)%N; rewrite leq_subRL // => /(_ ht) h.
by apply: le_trans (ler_add h (lexx _)) _; rewrite -splitr.
Qed.

Lemma vanishes_le (a b : nat -> F) : (forall t, a t <= b t) -> vanishes b -> vanishes a.
Proof. by move=> le hb e /hb[N hN]; exists N => t /hN; apply: le_trans. Qed.

Lemma vanishes_add (a b : nat -> F) : vanishes a -> vanishes b -> vanishes (fun t => a t + b t).
Proof.
move=> ha hb e e0; have e2 : 0 < e / 2%:R by rewrite divr_gt0 ?ltr0n.
have [[N hN] [M hM]] := (ha _ e2, hb _ e2); exists (maxn N M) => t; rewrite geq_max => /andP[/hN h1 /hM h2].
by apply: le_trans (ler_add h1 h2) _; rewrite -splitr.
Qed.

Lemma vanishes_scale c (a : nat -> F) : 0 <= c -> vanishes a -> vanishes (fun t => c * a t).
Proof.
move=> c0 ha e e0; have c1 : 0 < c + 1 by rewrite ltr_paddl.
have [N hN] := ha _ (divr_gt0 e0 c1); exists N => t /hN h; apply: le_trans (ler_wpmul2l c0 h) _.
by rewrite mulrA ler_pdivr_mulr // mulrC ler_wpmul2l ?ler_addl ?ler01 // ltW.
Qed.

(* a sequence of finitely many entries vanishes with each of them *)
Lemma vanishes_supnorm m n (A : nat -> 'M[F]_(m, n)) :
  (forall i j, vanishes (fun t => `|A t i j|)) -> vanishes (fun t => supnorm (A t)).
Proof.
move=> h e e0; have hij (ij : 'I_m * 'I_n) := h ij.1 ij.2 e e0; have [N hN] := fin_all_exists hij.
exists (\max_ij N ij)%N => t ht; apply: supnorm_le => [|i j]; first exact: ltW.
by apply: (hN (i, j)); apply: leq_trans ht; apply: (leq_bigmax (i, j)).
Qed.
End Sequences.

Section Powers.
Variables (F : archiFieldType) (rc : Num.real_closed_axiom F).
Let R := RcfType F rc.
Notation modulus := (@ComplexField.Normc.normc R).

Lemma modulus_add (x y : R[i]) : (modulus (x + y) <= modulus x + modulus y :> R).
Proof. by have := ler_norm_add x y; rewrite !normc_def -rmorphD lecR; case: x; case: y. Qed.

(* a row that a product of factors (A - z) kills, every |z| below 1, goes to 0 under A *)
Lemma killed_vanishes n (A : 'M[R[i]]_n) (s : seq R[i]) (v : 'rV[R[i]]_n) :
  (forall z, z \in s -> (modulus z < 1 :> R)) -> foldl (fun u z => u *m A - z *: u) v s = 0 ->
  forall j, @vanishes F (fun t => modulus (iter t (mulmxr A) v 0 j)).
Proof.
elim: s v => [|z s IH] v hs /= kill j.
  rewrite kill => e e0; exists 0%N => t _; have -> : iter t (mulmxr A) 0 = 0 :> 'rV_n.
    by elim: t => //= t ->; rewrite mul0mx.
  by rewrite mxE ComplexField.Normc.normc0 ltW.
have hz : (modulus z < 1 :> R) by apply: hs; rewrite mem_head.
have hs' y : y \in s -> (modulus y < 1 :> R) by move=> hy; apply: hs; rewrite in_cons hy orbT.
have z0 : (0 <= modulus z :> R) by case: (z) => a b; apply: sqrtr_ge0.
apply: (vanishes_driven z0 hz _ (IH _ hs' kill j)) => t.
have e : iter t.+1 (mulmxr A) v = z *: iter t (mulmxr A) v + iter t (mulmxr A) (v *m A - z *: v).
  elim: t => [|t IHt]; first by rewrite /= addrC subrK.
  by rewrite [LHS]iterS {1}IHt /= mulmxDl -scalemxAl. 
rewrite e mxE; apply: le_trans (modulus_add _ _) _.
by rewrite [X in modulus X + _ <= _]mxE ComplexField.Normc.normcM.
Qed.

Lemma foldl_horner n (A : 'M[R[i]]_n.+1) (s : seq R[i]) (v : 'rV[R[i]]_n.+1) :
  foldl (fun u z => u *m A - z *: u) v s = v *m horner_mx A (\prod_(z <- s) ('X - z%:P)).
Proof.
elim: s v => [|z s IH] v /=; first by rewrite big_nil rmorph1 mulmx1.
rewrite big_cons rmorphM rmorphB /= horner_mx_X horner_mx_C IH mulmxA mulmxBr mul_mx_scalar //.
Qed.

(* the powers of L vanish on every row *)
Theorem powers_vanish n (L : 'M[F]_n) (v : 'rV[F]_n) : radius_lt L 1 ->
  vanishes (fun t => supnorm (iter t (mulmxr L) v)).
Proof.
case: n L v => [|n] L v rho; first by move=> e e0; exists 0%N => t _; apply: supnorm_le => [|i []//]; apply: ltW.
pose A : 'M[R[i]]_n.+1 := map_mx (real_complex R) L; pose u : 'rV[R[i]]_n.+1 := map_mx (real_complex R) v.
have [s es] := closed_field_poly_normal (char_poly A).
have es1 : char_poly A = \prod_(z <- s) ('X - z%:P).
  by rewrite es (monicP (char_poly_monic A)) scale1r.
have hs z : z \in s -> (modulus z < 1 :> R).
  move=> zs; have ez : eigenvalue A z.
    by rewrite eigenvalue_root_char es1 root_prod_XsubC.
  have [x [y [nz ex ey]]] := eigenvalue_split ez.
  have := rho (complex.Re z) (complex.Im z); rewrite expr1n => /(_ _) h.
  have {}h : complex.Re z ^+ 2 + complex.Im z ^+ 2 < 1 by apply: h; exists x, y.
  move: h; case: (z) => a b /= h; rewrite -(@sqrtr1 R) ltr_sqrt ?ltr01 //.
have kill : foldl (fun w z => w *m A - z *: w) u s = 0.
  by rewrite foldl_horner -es1 (Cayley_Hamilton A) mulmx0.
have ev t : iter t (mulmxr A) u = map_mx (real_complex R) (iter t (mulmxr L) v).
  by elim: t => //= t ->; rewrite map_mxM.
apply: vanishes_supnorm => i j; rewrite !ord1; apply: vanishes_le (killed_vanishes hs kill j) => t.
by rewrite ev mxE /= expr0n addr0 sqrtr_sqr.
Qed.
End Powers.
