(* The bisimulation operator of Ferns: (B d)(s, t) = max_a |r_a(s) - r_a(t)| + g W_d(P_a(s), P_a(t)).
   It is discounted, so it has at most one fixed point; it has one, by policy iteration, first over
   couplings (least), then over actions (greatest). No completeness of the field is used. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import supnorm chain discounted couplings wasserstein.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* the greatest of f 0, .., f k *)
Section Greatest.
Variables (R : realFieldType) (k : nat).
Definition greatest (f : 'I_k.+1 -> R) : R := \big[Order.max/f ord0]_a f a.

Lemma greatest_ge f a : f a <= greatest f.
Proof.
rewrite /greatest; have := mem_index_enum a; elim: (index_enum _) => // b s IH.
by rewrite inE big_cons le_maxr => /orP[/eqP <- | /IH ->]; rewrite ?lexx ?orbT.
Qed.

Lemma greatest_attained f : exists a, greatest f = f a.
Proof.
rewrite /greatest; elim/big_ind: _ => [|x y [a ->] [b ->]|a _]; [by exists ord0| |by exists a].
by case: (leP (f a) (f b)) => _; [exists b | exists a].
Qed.

Lemma greatest_le f c : (forall a, f a <= c) -> greatest f <= c.
Proof. by move=> h; have [a ->] := greatest_attained f. Qed.

Lemma greatest_below f h : (forall a, f a <= h a) -> greatest f <= greatest h.
Proof. by move=> fh; apply: greatest_le => a; apply: le_trans (greatest_ge h a). Qed.

Lemma eq_greatest f h : f =1 h -> greatest f = greatest h.
Proof. by move=> fh; rewrite /greatest fh; apply: eq_bigr. Qed.
End Greatest.

Lemma law_row (R : realFieldType) m n (P : 'M[R]_(m, n)) s : stochastic P -> law (row s P).
Proof. by case=> P0 P1; split=> [k | ]; [rewrite mxE | under eq_bigr do rewrite mxE; rewrite P1]. Qed.

(* One action: (x, y) |-> rho(x, y) + g W_d(mu_xy, nu_xy). *)
Section OneAction.
Variables (R : realFieldType) (n : nat) (g : R) (rho : 'M[R]_n) (mu nu : 'I_n -> 'I_n -> 'rV[R]_n).
Hypotheses (g0 : 0 <= g) (g1 : g < 1).
Hypotheses (lmu : forall x y, law (mu x y)) (lnu : forall x y, law (nu x y)).

Definition transport_operator d : 'M[R]_n := \matrix_(x, y) (rho x y + g * wasserstein d (mu x y) (nu x y)).

Lemma transport_discounted : discounted g transport_operator.
Proof.
split=> [d d' dd | d c c0] x y; rewrite !mxE.
  by rewrite ler_add2l ler_wpmul2l // wasserstein_below.
by rewrite wasserstein_shift // mulrDr addrA.
Qed.

(* with the couplings fixed in advance the operator is affine *)
Section Fixed.
Variable w : 'I_n -> 'I_n -> 'M[R]_n.
Hypothesis cw : forall x y, coupling (mu x y) (nu x y) (w x y).

Definition expected (d : 'M[R]_n) : 'M[R]_n := \matrix_(x, y) (g * cost (w x y) d).

Lemma expected_linear : linear expected.
Proof. by move=> c d d'; apply/matrixP=> x y; rewrite !mxE costD costZ mulrDr mulrCA. Qed.

Lemma expected_discounted : discounted g expected.
Proof.
split=> [d d' dd | d c c0] x y; rewrite !mxE; first by rewrite ler_wpmul2l // (cost_below (cw x y)).
by rewrite costD (cost_const _ (lmu x y) (cw x y)) mulrDr.
Qed.
End Fixed.

Theorem transport_fixed : exists d, transport_operator d = d.
Proof.
pose F := [finType of {ffun 'I_n * 'I_n -> {set 'I_(n * n)}}].
pose w (s : F) x y := plan (mu x y) (nu x y) (s (x, y)).
have cw s x y : coupling (mu x y) (nu x y) (w s x y) by apply: coupling_plan.
pose S s d : 'M[R]_n := rho + expected (w s) d.
have dS s : discounted g (S s).
  have [mono shift] := expected_discounted (cw s); split=> [d d' dd | d c c0] x y.
    by have := mono _ _ dd x y; rewrite ![S _ _ _ _]mxE ler_add2l.
  by have := shift d c c0 x y; rewrite [S s d]lock !mxE -lock ![S _ _ _ _]mxE -addrA ler_add2l !mxE.
apply: (@policy_iteration_min _ _ _ _ F [ffun=> set0] S transport_operator g1 dS).
- move=> s; have [d ed] := @affine_fixed _ _ _ _ (Linear (expected_linear (w s))) g1 (expected_discounted (cw s)) rho.
  by exists d.
- by move=> s d x y; rewrite !mxE ler_add2l ler_wpmul2l // wasserstein_le.
- move=> d; exists [ffun p => [arg min_(J < set0) cost (plan (mu p.1 p.2) (nu p.1 p.2) J) d]%O].
  by apply/matrixP=> x y; rewrite !mxE /w ffunE.
Qed.
End OneAction.

Section Bisimulation.
Variables (R : realFieldType) (n k : nat) (P : 'I_k.+1 -> 'M[R]_n) (r : 'I_k.+1 -> 'cV[R]_n) (g : R).
Hypotheses (stochP : forall a, stochastic (P a)) (g0 : 0 <= g) (g1 : g < 1).

(* what one action says of the states s and t under the distance d *)
Definition action_gap (d : 'M[R]_n) s t a : R :=
  `|r a s 0 - r a t 0| + g * wasserstein d (row s (P a)) (row t (P a)).

Definition bisimulation_operator (d : 'M[R]_n) : 'M[R]_n := \matrix_(s, t) greatest (action_gap d s t).

Let lP a s : law (row s (P a)). Proof. exact: law_row. Qed.

Theorem bisimulation_discounted : discounted g bisimulation_operator.
Proof.
split=> [d d' dd | d c c0] s t; rewrite !mxE.
  by apply: greatest_below => a; rewrite ler_add2l ler_wpmul2l // wasserstein_below.
apply: greatest_le => a; rewrite /action_gap wasserstein_shift // mulrDr addrA ler_add2r.
exact: (greatest_ge (action_gap d s t)).
Qed.

Theorem bisimulation_fixed : exists d, bisimulation_operator d = d.
Proof.
pose F := [finType of {ffun 'I_n * 'I_n -> 'I_k.+1}].
pose S (p : F) := transport_operator g (\matrix_(s, t) `|r (p (s, t)) s 0 - r (p (s, t)) t 0|)
  (fun s t => row s (P (p (s, t)))) (fun s t => row t (P (p (s, t)))).
have SE p d s t : S p d s t = action_gap d s t (p (s, t)) by rewrite !mxE.
apply: (@policy_iteration_max _ _ _ _ F [ffun=> ord0] S bisimulation_operator g1).
- by move=> p; apply: transport_discounted.
- by move=> p; apply: transport_fixed.
- by move=> p d s t; rewrite SE mxE greatest_ge.
- move=> d; have /fin_all_exists[f ef] (p : 'I_n * 'I_n) :
      exists a, greatest (action_gap d p.1 p.2) = action_gap d p.1 p.2 a by apply: greatest_attained.
  by exists [ffun p => f p]; apply/matrixP=> s t; rewrite SE mxE ffunE (ef (s, t)).
Qed.
End Bisimulation.
