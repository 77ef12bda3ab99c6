(* The top feature alone: an eigenvector of a non-negative matrix may be taken by its absolute values. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain stein min_kernel reward_kernel reward_range kernel top_eigenpairs truncation.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma formE (F : realFieldType) n (A : 'M[F]_n) u v : form A u v = \sum_i \sum_j u 0 i * A i j * v 0 j.
Proof.
rewrite /form mxE exchange_big /=; apply: eq_bigr => j _; rewrite mxE [v^T _ _]mxE mulr_suml.
by apply: eq_bigr => i _.
Qed.

(* R K1 >= R/2 times the square of the mass, once R is at least the range *)
Lemma half_mass (F : realFieldType) n (r : 'cV[F]_n) (R : F) (v : 'rV[F]_n) : spread r <= R ->
  (\sum_i v 0 i) ^+ 2 / 2%:R <= form (reward_kernel r R) v v.
Proof.
case: n r v => [|n] r v hR; first by rewrite big_ord0 expr0n mul0r /form (thinmx0 v) !mul0mx mxE.
set S := \sum_i v 0 i; have [x0 [y0 [e hx hy]]] := spread_attained r.
have [s0 | s0] := eqVneq (spread r) 0.
  have r0 x : r x 0 = r x0 0 by have := le_spread r x x0; rewrite s0 normr_le0 subr_eq0 => /eqP.
  have -> : form (reward_kernel r R) v v = S ^+ 2.
    have -> : reward_kernel r R = (const_mx 1 : 'cV_n.+1) *m (const_mx 1)^T.
      by apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE !r0 subrr normr0 mul0r subr0 mulr1.
    rewrite form_outer expr2; have -> // : (v *m (const_mx 1 : 'cV_n.+1)) 0 0 = S.
    by rewrite mxE; apply: eq_bigr => i _; rewrite mxE mulr1.
  by rewrite ler_pdivr_mulr ?ltr0n // ler_pemulr ?sqr_ge0 // ler1n.
have M0 : 0 < spread r by rewrite lt_neqAle eq_sym s0 spread_ge0.
have R0 : 0 < R by apply: lt_le_trans hR.
pose a i := r i 0 - r x0 0.
have a0 i : 0 <= a i by rewrite subr_ge0.
have aM i : a i <= spread r by rewrite e ler_add2r.
have eq1 := reward_kernel_parts r (r x0 0) v M0 (lt0r_neq0 R0); rewrite -/a -/S in eq1.
have pB := psd_bridge a0 aM (ltW M0) v; rewrite -(ler_pmul2l R0) eq1.
have k1 : 0 <= 2%:R / spread r by rewrite divr_ge0 ?ler0n ?ltW.
apply: le_trans (_ : (R - spread r / 2%:R) * S ^+ 2 <= _); last first.
  by rewrite -addrA ler_addl addr_ge0 // mulr_ge0 // sqr_ge0.
rewrite mulrCA mulrC ler_wpmul2r ?sqr_ge0 // ler_subr_addr -mulrDl ler_pdivr_mulr ?ltr0n //.
by rewrite mulr_natr mulr2n ler_add2l.
Qed.

Section Top.
Variables (F : archiFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D s : 'rV[F]_n).
Variables (U : 'cV[F]_n) (lam mu : 'rV[F]_1).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1) (R0 : 0 <= R) (hR : spread r <= R).
Hypothesis sD : root_of D s.
Let K := krope_kernel P r R g.
Let A := weighted_kernel K s.
Hypothesis top : top_eigenpairs A U lam mu.
Let u := U^T.
Let l := lam 0 0.

Let sK : K^T = K. Proof. exact: krope_kernel_sym. Qed.
Let sA : A^T = A. Proof. by rewrite /A /weighted_kernel !trmx_mul tr_diag_mx sK mulmxA. Qed.

Lemma top_unit : sqnorm u = 1.
Proof. by case: top => [[e _ _] _ _]; rewrite /sqnorm /form mulmx1 trmxK e mxE. Qed.

Lemma top_eigen : u *m A = l *: u.
Proof.
case: top => [[_ e _] _ _]; apply: trmx_inj; rewrite trmx_mul sA trmxK e linearZ /= trmxK.
by apply/colP=> i; rewrite mul_mx_diag !mxE mulrC.
Qed.

(* the top eigenvalue bounds the form everywhere *)
Lemma top_bound v : form A v v <= l * sqnorm v.
Proof.
case: top => [[e _ _] _ rest]; pose a := form 1%:M v u; pose w := v - a *: u.
have uU : u *m U = 1%:M := e.
have aE : a = (v *m U) 0 0 by rewrite /a /form mulmx1 /u trmxK.
have wU : w *m U = 0.
  rewrite /w mulmxBl -scalemxAl uU aE; move: (v *m U) => X.
  by apply/matrixP=> i j; rewrite !ord1 !mxE mulr1 subrr.
have ev : v = 1 *: w + a *: u by rewrite scale1r subrK.
have uw : form 1%:M w u = 0 by rewrite /form mulmx1 /u trmxK wU mxE.
have Au x : form A u x = l * form 1%:M u x.
  by rewrite /form top_eigen -scalemxAl mulmx1 mxE.
have Auw : form A w u = 0 by rewrite form_sym // Au form_sym ?trmx1 // uw mulr0.
have Auu : form A u u = l by rewrite Au -/(sqnorm u) top_unit mulr1.
rewrite ev /sqnorm !form_sq ?trmx1 // Auw uw Auu -/(sqnorm u) top_unit -/(sqnorm w) !mulr0 !addr0 !mulr1 expr1n !mul1r.
by rewrite mulrDr ler_add ?rest // mulrC.
Qed.

Lemma weighted_entry i j : A i j = s 0 i * K i j * s 0 j.
Proof. by rewrite /A /weighted_kernel mul_mx_diag mul_diag_mx !mxE. Qed.

Lemma top_signs i j : A i j * `|u 0 i * u 0 j| = A i j * (u 0 i * u 0 j).
Proof.
have A0 a b : 0 <= A a b.
  have [le1 ge0] := kernel_ge subP g0 g1 R0 a b hR; have [[sa _] [sb _]] := (sD a, sD b).
  by rewrite weighted_entry mulr_ge0 // mulr_ge0 // (le_trans ge0).
pose v : 'rV[F]_n := \row_k `|u 0 k|.
have vE k : v 0 k = `|u 0 k| by rewrite mxE.
have Auu : form A u u = l.
  have -> : form A u u = l * form 1%:M u u by rewrite /form top_eigen -scalemxAl mulmx1 mxE.
  by rewrite -/(sqnorm u) top_unit mulr1.
have vv : sqnorm v = 1.
  by rewrite -top_unit !sqnormE; apply: eq_bigr => k _; rewrite mxE real_normK ?num_real.
have le0 : \sum_a \sum_b A a b * (`|u 0 a * u 0 b| - u 0 a * u 0 b) <= 0.
  have h := top_bound v; rewrite vv mulr1 -Auu -subr_le0 !formE -sumrB in h; apply: le_trans h.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => a _; rewrite -sumrB; apply: eq_bigr => b _; rewrite !vE normrM.
  by move: (A a b) (u 0 a) (u 0 b) (`|u 0 a|) (`|u 0 b|) => p x y q t; ring.
have term a b : 0 <= A a b * (`|u 0 a * u 0 b| - u 0 a * u 0 b) by rewrite mulr_ge0 // subr_ge0 ler_norm.
have rows a : 0 <= \sum_b A a b * (`|u 0 a * u 0 b| - u 0 a * u 0 b) by apply: sumr_ge0.
have z : \sum_a \sum_b A a b * (`|u 0 a * u 0 b| - u 0 a * u 0 b) = 0.
  by apply/eqP; rewrite eq_le le0 sumr_ge0.
have zi : \sum_b A i b * (`|u 0 i * u 0 b| - u 0 i * u 0 b) = 0.
  by apply: (psumr_eq0P _ z) => // a _; apply: rows.
have zj : A i j * (`|u 0 i * u 0 j| - u 0 i * u 0 j) = 0.
  by apply: (psumr_eq0P _ zi) => // b _; apply: term.
by move/eqP: zj; rewrite mulrBr subr_eq0 => /eqP.
Qed.

(* w K1 w' >= (1 - g)/2 w K w' for w = D^1/2 u *)
Lemma top_share w : w = u *m diag_mx s ->
  (1 - g) / 2%:R * form K w w <= form (reward_kernel r R) w w.
Proof.
move=> ew; have q0 : 0 < 1 - g by rewrite subr_gt0.
pose v : 'rV[F]_n := \row_k (`|u 0 k| * s 0 k).
have vE k : v 0 k = `|u 0 k| * s 0 k by rewrite mxE.
have wE k : w 0 k = u 0 k * s 0 k by rewrite ew mul_mx_diag mxE.
have s0 k : 0 <= s 0 k by case: (sD k).
have absK (k : 'M[F]_n) : (forall a b, 0 <= k a b <= K a b) -> form k w w = form k v v.
  move=> hk; rewrite !formE; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite !wE !vE.
  have /andP[k0 kK] := hk i j; have := top_signs i j; rewrite weighted_entry.
  have [z | nz] := eqVneq (s 0 i * K i j * s 0 j) 0.
    move=> _; have z2 : s 0 i * k i j * s 0 j = 0.
      apply/eqP; rewrite eq_le !mulr_ge0 // andbT -z ler_wpmul2r // ler_wpmul2l //.
    rewrite (_ : u 0 i * s 0 i * k i j * (u 0 j * s 0 j) = u 0 i * u 0 j * (s 0 i * k i j * s 0 j)); last first.
      by move: (u 0 i) (s 0 i) (k i j) (u 0 j) (s 0 j) => a b c p q; ring.
    rewrite (_ : `|u 0 i| * s 0 i * k i j * (`|u 0 j| * s 0 j) = `|u 0 i| * `|u 0 j| * (s 0 i * k i j * s 0 j)).
      by rewrite z2 !mulr0.
    by move: (`|u 0 i|) (s 0 i) (k i j) (`|u 0 j|) (s 0 j) => a b c p q; ring.
  move/(mulfI nz); rewrite normrM => e.
  rewrite (_ : `|u 0 i| * s 0 i * k i j * (`|u 0 j| * s 0 j) = `|u 0 i| * `|u 0 j| * (s 0 i * k i j * s 0 j)).
    by rewrite e; move: (u 0 i) (s 0 i) (k i j) (u 0 j) (s 0 j) => a b c p q; ring.
  by move: (`|u 0 i|) (s 0 i) (k i j) (`|u 0 j|) (s 0 j) => a b c p q; ring.
have ge a b := kernel_ge subP g0 g1 R0 a b hR.
rewrite (absK K) => [|a b]; last by have [le1 ge0] := ge a b; rewrite lexx (le_trans ge0).
rewrite (absK (reward_kernel r R)) => [|a b]; last by have [le1 ge0] := ge a b; rewrite ge0.
apply: le_trans (half_mass v hR); set S := \sum_i v 0 i.
have v0 k : 0 <= v 0 k by rewrite mxE mulr_ge0.
have hK : form K v v <= (1 - g)^-1 * S ^+ 2.
  have -> : (1 - g)^-1 * S ^+ 2 = \sum_i \sum_j v 0 i * (1 - g)^-1 * v 0 j.
    transitivity ((\sum_i v 0 i * (1 - g)^-1) * S); first by rewrite -mulr_suml -/S expr2 mulrA [S * _]mulrC.
    by rewrite mulr_suml; apply: eq_bigr => i _; rewrite mulr_sumr.
  rewrite formE; apply: ler_sum => i _; apply: ler_sum => j _.
  by rewrite ler_wpmul2r // ler_wpmul2l // kernel_le.
rewrite mulrAC ler_pmul2r ?invr_gt0 ?ltr0n //; apply: le_trans (ler_wpmul2l (ltW q0) hK) _.
by rewrite mulrA mulfV ?gt_eqF // mul1r.
Qed.
End Top.
