(* The Stein equation K = K1 + g P K P': contraction, existence, uniqueness, positivity, series. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Operator.
Variables (R : realFieldType) (n : nat) (P : 'M[R]_n) (g : R).

Definition stein_op (K1 k : 'M[R]_n) : 'M[R]_n := K1 + g *: (P *m k *m P^T).
(* what is left of k when its own image is taken away: the solution k has K1 left *)
Definition stein_rest (k : 'M[R]_n) : 'M[R]_n := k - g *: (P *m k *m P^T).

Fact stein_rest_is_linear : linear stein_rest.
Proof.
move=> a u v; rewrite /stein_rest mulmxDr mulmxDl -scalemxAr -scalemxAl.
by rewrite scalerDr scalerA mulrC -scalerA opprD addrACA scalerBr.
Qed.
Canonical stein_rest_linear := Linear stein_rest_is_linear.

Lemma stein_restP K1 k : k = stein_op K1 k <-> stein_rest k = K1.
Proof.
by split=> [e | <-]; [rewrite /stein_rest {1}e /stein_op addrK | rewrite /stein_op /stein_rest subrK].
Qed.

(* the solution, as the inverse image of K1 under the linear map stein_rest *)
Definition stein_solution (K1 : 'M[R]_n) : 'M[R]_n := ((linfun stein_rest)^-1)%VF K1.
End Operator.

Section Solution.
Variables (R : realFieldType) (n : nat) (P : 'M[R]_n) (g : R).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1).

Theorem stein_contraction K1 k h :
  supnorm (stein_op P g K1 k - stein_op P g K1 h) <= g * supnorm (k - h).
Proof.
have -> : stein_op P g K1 k - stein_op P g K1 h = g *: (P *m (k - h) *m P^T).
  by rewrite /stein_op mulmxBr mulmxBl scalerBr opprD addrACA subrr add0r.
apply: le_trans (supnormZ _ _) _; rewrite ger0_norm // ler_wpmul2l //.
exact: supnorm_sandwich.
Qed.

Theorem stein_unique K1 k h : k = stein_op P g K1 k -> h = stein_op P g K1 h -> k = h.
Proof.
move=> hk hh; apply/eqP; rewrite -subr_eq0; apply/eqP/supnorm_eq0.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
apply: (@contracted_eq R g g1 (supnorm (k - h))) => //; last exact: supnorm_ge0.
by rewrite {1}hk {1}hh; apply: stein_contraction.
Qed.

(* stein_rest is injective, so bijective on the finite-dimensional space of matrices *)
Lemma stein_solutionP K1 : stein_solution P g K1 = stein_op P g K1 (stein_solution P g K1).
Proof.
have inj : lker (linfun (stein_rest P g)) == 0%VS.
  apply/lker0P=> u v; rewrite !lfunE /= => e.
  by apply: (@stein_unique (stein_rest P g u)); apply/stein_restP.
by apply/stein_restP; have := lker0_lfunVK inj K1; rewrite lfunE.
Qed.

Lemma stein_solution_unique K1 k : k = stein_op P g K1 k -> k = stein_solution P g K1.
Proof. by move/stein_unique; apply; apply: stein_solutionP. Qed.

Lemma stein_solution_sym K1 : K1^T = K1 -> (stein_solution P g K1)^T = stein_solution P g K1.
Proof.
move=> s; apply: (@stein_unique K1); last exact: stein_solutionP.
rewrite {1}stein_solutionP /stein_op linearD linearZ /= s.
by rewrite !trmx_mul trmxK mulmxA.
Qed.

Theorem iterate_error K1 N k :
  supnorm (iter N (stein_op P g K1) k - stein_solution P g K1)
    <= g ^+ N * supnorm (k - stein_solution P g K1).
Proof.
elim: N => [|N IH] /=; first by rewrite expr0 mul1r.
rewrite {1}stein_solutionP; apply: le_trans (stein_contraction _ _ _) _.
by rewrite exprS -mulrA ler_wpmul2l.
Qed.

(* the first N terms g^t P^t K1 P'^t of the series of the solution *)
Definition stein_partial K1 N : 'M[R]_n := \sum_(t < N) g ^+ t *: iter t (fun A => P *m A *m P^T) K1.

Lemma stein_partial_iter K1 N : stein_partial K1 N = iter N (stein_op P g K1) 0.
Proof.
elim: N => [|N IH] /=; first by rewrite /stein_partial big_ord0.
rewrite -IH /stein_partial big_ord_recl /= expr0 scale1r /stein_op; congr (_ + _).
rewrite mulmx_sumr mulmx_suml scaler_sumr; apply: eq_bigr => t _.
by rewrite -scalemxAr -scalemxAl scalerA -exprS.
Qed.

Theorem series_error K1 N :
  supnorm (stein_partial K1 N - stein_solution P g K1) <= g ^+ N * supnorm (stein_solution P g K1).
Proof. by rewrite stein_partial_iter; apply: le_trans (iterate_error _ _ _) _; rewrite sub0r supnormN. Qed.
End Solution.

Section Positivity.
Variables (R : archiFieldType) (n : nat) (P : 'M[R]_n) (g : R).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1).

Lemma form_bound (M : 'M[R]_n) v : `|form M v v| <= supnorm M * norm1 v ^+ 2.
Proof.
rewrite /form mxE; apply: le_trans (ler_norm_sum _ _ _) _.
rewrite expr2 mulrA [_ * norm1 v in X in _ <= X]mulr_sumr.
apply: ler_sum => j _; rewrite normrM [v^T _ _]mxE ler_wpmul2r //.
rewrite mxE; apply: le_trans (ler_norm_sum _ _ _) _.
rewrite mulr_sumr; apply: ler_sum => i _.
by rewrite normrM mulrC ler_wpmul2r // le_supnorm.
Qed.

Theorem stein_psd (M : 'M[R]_n) : psd (M - g *: (P *m M *m P^T)) -> psd M.
Proof.
move=> hM v.
have step w : g * form M (w *m P) (w *m P) <= form M w w.
  by have := hM w; rewrite formD formN formZ form_conj subr_ge0.
apply: (geom_ge0 g0 g1 (C := supnorm M * norm1 v ^+ 2)).
  by rewrite mulr_ge0 ?supnorm_ge0 // exprn_ge0 ?norm1_ge0.
move=> N; elim: N v => [|N IH] v.
  by rewrite expr0 mul1r; have := form_bound M v; rewrite ler_norml => /andP[].
apply: le_trans (step v); apply: le_trans (_ : g * - (g ^+ N * (supnorm M * norm1 (v *m P) ^+ 2)) <= _).
  rewrite mulrN ler_opp2 mulrA -exprS ler_wpmul2l ?exprn_ge0 //.
  rewrite ler_wpmul2l ?supnorm_ge0 // ler_expn2r ?nnegrE ?norm1_ge0 //.
  exact: norm1_mulP subP.
by rewrite ler_wpmul2l.
Qed.


Theorem stein_solution_psd K1 : psd K1 -> psd (stein_solution P g K1).
Proof.
move=> h; apply: stein_psd.
by have /stein_restP := stein_solutionP subP g0 g1 K1; rewrite /stein_rest => ->.
Qed.
End Positivity.
