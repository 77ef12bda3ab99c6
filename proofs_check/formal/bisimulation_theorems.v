(* theorem-ferns and theorem-castro: the (pi-)bisimulation operator keeps pseudometrics, contracts with modulus
   gamma, and has exactly one fixed point, which is a (pi-)bisimulation metric and bounds value differences.
   Conservative models, 0 < gamma < 1, any real field: the fixed point exists without any completeness. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import supnorm chain discounted wasserstein abstraction.
From Krope Require Import bisimulation_operator bisimulation_metric.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* d vanishes on the groups of a bisimulation, and only there; no bisimulation is coarser *)
Definition is_bisimulation_metric (R : realFieldType) n (A : Type) (P : A -> 'M[R]_n) (r : A -> 'cV[R]_n)
    (d : 'M[R]_n) :=
  [/\ pseudometric d,
      exists phi : 'I_n -> 'I_n, bisimulation phi P r /\ forall s t, d s t = 0 <-> phi s = phi t
    & forall m (psi : 'I_n -> 'I_m), bisimulation psi P r -> forall s t, psi s = psi t -> d s t = 0].

Definition is_pi_bisimulation_metric (R : realFieldType) n (P : 'M[R]_n) (r : 'cV[R]_n) (d : 'M[R]_n) :=
  [/\ pseudometric d,
      exists phi : 'I_n -> 'I_n, pi_bisimulation phi P r /\ forall x y, d x y = 0 <-> phi x = phi y
    & forall m (psi : 'I_n -> 'I_m), pi_bisimulation psi P r -> forall x y, psi x = psi y -> d x y = 0].

(* B(d)(s, t) = max_a |r_a(s) - r_a(t)| + g W_d(P_a(s), P_a(t)), the maximum over k + 1 actions, each with its
   transitions P_a between n states and its rewards r_a; V are the optimal values *)
Theorem theorem_ferns (R : realFieldType) n k (P : 'I_k.+1 -> 'M[R]_n) (r : 'I_k.+1 -> 'cV[R]_n) (g : R) :
  (forall a, stochastic (P a)) -> 0 < g < 1 ->
  let B := bisimulation_operator P r g in
  [/\ forall d, pseudometric d -> pseudometric (B d),
      forall d d', supnorm (B d - B d') <= g * supnorm (d - d')
    & exists d, [/\ B d = d, forall d', B d' = d' -> d' = d, is_bisimulation_metric P r d
      & exists V, [/\ optimal_bellman P r g V = V, forall V', optimal_bellman P r g V' = V' -> V' = V
          & forall s t, `|V s 0 - V t 0| <= d s t]]].
Proof.
move=> stochP /andP[gpos g1] B; have g0 := ltW gpos; have dB := bisimulation_discounted r stochP g0; split.
- exact: bisimulation_pseudometric.
- exact: discounted_contraction.
have [d ed] := bisimulation_fixed r stochP g0 g1; exists d; split=> //.
- by move=> d' ed'; apply: (discounted_unique g1 dB).
- split; first exact: (fixed_pseudometric stochP g0 g1 ed).
    exists (zero_class d); split; first exact: (zero_bisimulation stochP g0 g1 ed).
    by move=> s t; apply: iff_sym; apply: (zero_classP stochP g0 g1 ed).
  by move=> m psi bi s t; apply: (bisimilar_zero stochP g0 g1 ed).
have [V eV] := optimal_values_exist r stochP g0 g1; exists V; split=> // [V' eV' | s t].
  exact: (discounted_unique g1 (optimal_discounted r stochP g0)).
exact: (fixed_bounds_values stochP g0 g1 ed).
Qed.

(* d(x, y) |-> |r(x) - r(y)| + g W_d(P(x), P(y)), P the transitions between pairs under the policy *)
Definition pi_bisimulation_operator (R : realFieldType) n (P : 'M[R]_n) (r : 'cV[R]_n) (g : R) (d : 'M[R]_n) :
    'M[R]_n :=
  \matrix_(x, y) (`|r x 0 - r y 0| + g * wasserstein d (row x P) (row y P)).

(* one action: the greatest of one number *)
Section OneAction.
Variables (R : realFieldType) (n : nat) (P : 'M[R]_n) (r : 'cV[R]_n) (g : R).
Let P1 (a : 'I_1) := P.
Let r1 (a : 'I_1) := r.

Lemma one_action_operator d : bisimulation_operator P1 r1 g d = pi_bisimulation_operator P r g d.
Proof. by apply/matrixP=> x y; rewrite !mxE; have [a ->] := greatest_attained (action_gap P1 r1 g d x y). Qed.

Lemma one_action_values V : optimal_bellman P1 r1 g V = bellman P r g V.
Proof.
apply/colP=> x; rewrite [LHS]mxE.
by have [a ->] := greatest_attained (fun a => bellman (P1 a) (r1 a) g V x 0).
Qed.
End OneAction.

Theorem theorem_castro (R : realFieldType) n (P : 'M[R]_n) (r : 'cV[R]_n) (g : R) :
  stochastic P -> 0 < g < 1 ->
  let B := pi_bisimulation_operator P r g in
  [/\ forall d, pseudometric d -> pseudometric (B d),
      forall d d', supnorm (B d - B d') <= g * supnorm (d - d')
    & exists d, [/\ B d = d, forall d', B d' = d' -> d' = d, is_pi_bisimulation_metric P r d
      & forall x y, `|values P r g x 0 - values P r g y 0| <= d x y]].
Proof.
move=> stochP g01 B; pose P1 (a : 'I_1) := P; pose r1 (a : 'I_1) := r.
have sP1 (a : 'I_1) : stochastic (P1 a) by [].
have [keeps contracts [d [fixed unique [md zero coarsest] [V [eV _ bound]]]]] := theorem_ferns r1 sP1 g01.
have eB : forall d, bisimulation_operator P1 r1 g d = B d by apply: one_action_operator.
have one m (psi : 'I_n -> 'I_m) : bisimulation psi P1 r1 <-> pi_bisimulation psi P r.
  by split=> [/(_ ord0) // | bi a].
split; [by move=> d0 /keeps; rewrite eB | by move=> d0 d1; rewrite -!eB |].
exists d; split; first by rewrite -eB.
- by move=> d'; rewrite -eB; apply: unique.
- split=> //; first by have [phi [/one bi e]] := zero; exists phi.
  by move=> m psi /one; apply: coarsest.
case/andP: g01 => gpos g1; suff <- : V = values P r g by [].
apply: values_unique => //; [exact: stochastic_sub | exact: ltW | by rewrite -[RHS]one_action_values].
Qed.
