(* Couplings of two laws on n points, and the expected cost under one: the product, the diagonal, the transpose;
   two couplings glued along their common law; a coupling within the classes of a partition. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Couplings.
Variables (R : realFieldType) (n : nat).
Implicit Types (mu nu : 'rV[R]_n) (w d : 'M[R]_n).

(* a probability distribution, as a row *)
Definition law mu := (forall k, 0 <= mu 0 k) /\ \sum_k mu 0 k = 1.

(* a joint law with marginals mu and nu *)
Definition coupling mu nu w :=
  [/\ forall k l, 0 <= w k l, forall k, \sum_l w k l = mu 0 k & forall l, \sum_k w k l = nu 0 l].

(* the expectation of d under w *)
Definition cost w d := \sum_k \sum_l w k l * d k l.

Lemma costD w d d' : cost w (d + d') = cost w d + cost w d'.
Proof.
rewrite /cost -big_split; apply: eq_bigr => k _; rewrite -big_split.
by apply: eq_bigr => l _; rewrite mxE mulrDr.
Qed.

Lemma costZ w d c : cost w (c *: d) = c * cost w d.
Proof.
rewrite /cost mulr_sumr; apply: eq_bigr => k _; rewrite mulr_sumr.
by apply: eq_bigr => l _; rewrite mxE mulrCA.
Qed.

Lemma coupling_mass mu nu w : law mu -> coupling mu nu w -> \sum_k \sum_l w k l = 1.
Proof. by case=> _ <- [_ e _]; apply: eq_bigr. Qed.

Lemma cost_const mu nu w c : law mu -> coupling mu nu w -> cost w (const_mx c) = c.
Proof.
move=> lmu cw; rewrite -[RHS]mul1r -(coupling_mass lmu cw) mulr_suml; apply: eq_bigr => k _.
by rewrite mulr_suml; apply: eq_bigr => l _; rewrite mxE.
Qed.

Lemma cost_below mu nu w d d' : coupling mu nu w -> (forall k l, d k l <= d' k l) -> cost w d <= cost w d'.
Proof.
by case=> w0 _ _ dd; apply: ler_sum => k _; apply: ler_sum => l _; rewrite ler_wpmul2l.
Qed.

(* independent draws *)
Definition product mu nu : 'M[R]_n := mu^T *m nu.

Lemma coupling_product mu nu : law mu -> law nu -> coupling mu nu (product mu nu).
Proof.
move=> [mu0 mu1] [nu0 nu1]; have e k l : product mu nu k l = mu 0 k * nu 0 l.
  by rewrite mxE big_ord1 mxE.
split=> [k l | k | l]; first by rewrite e mulr_ge0.
  by under eq_bigr do rewrite e; rewrite -mulr_sumr nu1 mulr1.
by under eq_bigr do rewrite e; rewrite -mulr_suml mu1 mul1r.
Qed.

(* the same draw twice *)
Lemma coupling_same mu : law mu -> coupling mu mu (diag_mx mu).
Proof.
case=> mu0 _; split=> [k l | k | l].
- by rewrite mxE; case: eqP => [-> | _]; rewrite ?mulr1n ?mulr0n.
- rewrite (bigD1 k) //= mxE eqxx big1 ?addr0 // => l lk.
  by rewrite mxE eq_sym (negbTE lk).
- rewrite (bigD1 l) //= mxE eqxx big1 ?addr0 // => k kl.
  by rewrite mxE (negbTE kl).
Qed.

Lemma coupling_sym mu nu w : coupling mu nu w -> coupling nu mu w^T.
Proof.
by case=> w0 e f; split=> [k l | k | l]; rewrite ?mxE //; under eq_bigr do rewrite mxE.
Qed.

Lemma cost_sym w d : cost w^T d^T = cost w d.
Proof.
rewrite /cost exchange_big; apply: eq_bigr => k _; apply: eq_bigr => l _.
by rewrite !mxE.
Qed.
End Couplings.

(* Couplings of mu with nu and of nu with xi, glued along nu. *)
Section Gluing.
Variables (R : realFieldType) (n : nat) (mu nu xi : 'rV[R]_n) (w1 w2 : 'M[R]_n).
Hypotheses (lnu : law nu) (c1 : coupling mu nu w1) (c2 : coupling nu xi w2).

Definition glued : 'M[R]_n := \matrix_(k, m) \sum_l w1 k l * w2 l m / nu 0 l.

Lemma glue_left k l : \sum_m w1 k l * w2 l m / nu 0 l = w1 k l.
Proof.
have [w10 _ e1] := c1; have [_ e2 _] := c2.
rewrite -mulr_suml -mulr_sumr e2; have [nl | nl] := eqVneq (nu 0 l) 0; last by rewrite mulfK.
by rewrite nl mulr0 mul0r [RHS](psumr_eq0P _ (etrans (e1 l) nl)).
Qed.

Lemma glue_right l m : \sum_k w1 k l * w2 l m / nu 0 l = w2 l m.
Proof.
have [_ _ e1] := c1; have [w20 e2 _] := c2.
rewrite -mulr_suml -mulr_suml e1; have [nl | nl] := eqVneq (nu 0 l) 0; last by rewrite mulrAC mulfV // mul1r.
by rewrite nl !mul0r [RHS](psumr_eq0P _ (etrans (e2 l) nl)).
Qed.

Lemma coupling_glued : coupling mu xi glued.
Proof.
have [w10 e1 _] := c1; have [w20 _ e2] := c2; split=> [k m | k | m].
- by rewrite mxE; apply: sumr_ge0 => l _; rewrite divr_ge0 ?mulr_ge0 //; apply: lnu.1.
- under eq_bigr do rewrite mxE; rewrite exchange_big /= -e1.
  by apply: eq_bigr => l _; apply: glue_left.
- under eq_bigr do rewrite mxE; rewrite exchange_big /= -e2.
  by apply: eq_bigr => l _; apply: glue_right.
Qed.

(* the cost of gluing, for functions with d13 <= d12 + d23 up to a constant *)
Lemma cost_glued (d12 d23 d13 : 'M[R]_n) c : law mu ->
  (forall k l m, d13 k m <= d12 k l + d23 l m + c) -> cost glued d13 <= cost w1 d12 + cost w2 d23 + c.
Proof.
move=> lmu tri; have [w10 _ _] := c1; have [w20 _ _] := c2.
pose G k l m := w1 k l * w2 l m / nu 0 l.
have G0 k l m : 0 <= G k l m by rewrite divr_ge0 ?mulr_ge0 //; apply: lnu.1.
have e1 : cost w1 d12 = \sum_k \sum_l \sum_m G k l m * d12 k l.
  by apply: eq_bigr => k _; apply: eq_bigr => l _; rewrite -mulr_suml glue_left.
have e2 : cost w2 d23 = \sum_k \sum_l \sum_m G k l m * d23 l m.
  rewrite exchange_big; apply: eq_bigr => l _; rewrite exchange_big; apply: eq_bigr => m _.
  by rewrite -mulr_suml glue_right.
have e3 : c = \sum_k \sum_l \sum_m G k l m * c.
  rewrite -[LHS]mul1r -(coupling_mass lmu c1) mulr_suml; apply: eq_bigr => k _.
  by rewrite mulr_suml; apply: eq_bigr => l _; rewrite -mulr_suml glue_left.
rewrite e1 e2 [X in _ <= _ + X]e3 -!big_split /=; apply: ler_sum => k _.
have -> : \sum_m glued k m * d13 k m = \sum_l \sum_m G k l m * d13 k m.
  by rewrite exchange_big; apply: eq_bigr => m _; rewrite mxE mulr_suml.
rewrite -!big_split /=; apply: ler_sum => l _; rewrite -!big_split /=; apply: ler_sum => m _.
by rewrite -!mulrDr ler_wpmul2l.
Qed.
End Gluing.

(* Two laws that give each class of a partition the same mass are coupled within the classes. *)
Section Classes.
Variables (R : realFieldType) (n m : nat) (phi : 'I_n -> 'I_m) (mu nu : 'rV[R]_n).
Hypotheses (lmu : law mu) (lnu : law nu).

Let mass (xi : 'rV[R]_n) c := \sum_(k | phi k == c) xi 0 k.
Hypothesis same : forall c, mass mu c = mass nu c.

Definition within : 'M[R]_n :=
  \matrix_(k, l) (if phi l == phi k then mu 0 k * nu 0 l / mass mu (phi k) else 0).

Lemma no_mass (xi : 'rV[R]_n) k : law xi -> mass xi (phi k) = 0 -> xi 0 k = 0.
Proof. by case=> xi0 _ e; apply: (psumr_eq0P (fun i _ => xi0 i) e); rewrite eqxx. Qed.

Lemma coupling_within : coupling mu nu within.
Proof.
split=> [k l | k | l].
- rewrite mxE; case: ifP => // _; rewrite divr_ge0 ?mulr_ge0 ?lmu.1 ?lnu.1 //.
  by apply: sumr_ge0 => i _; apply: lmu.1.
- under eq_bigr do rewrite mxE; rewrite -big_mkcond /= -mulr_suml -mulr_sumr -/(mass nu _) -same.
  have [e | e] := eqVneq (mass mu (phi k)) 0; last by rewrite mulfK.
  by rewrite e mulr0 mul0r no_mass.
- have -> : \sum_k within k l = \sum_(k | phi k == phi l) mu 0 k * (nu 0 l / mass nu (phi l)).
    rewrite [RHS]big_mkcond; apply: eq_bigr => k _; rewrite mxE eq_sym; case: eqP => // ->.
    by rewrite same mulrA.
  rewrite -mulr_suml -/(mass mu _) same.
  have [e | e] := eqVneq (mass nu (phi l)) 0; last by rewrite mulrCA mulfV ?mulr1.
  by rewrite e mul0r no_mass.
Qed.

Lemma cost_within (d : 'M[R]_n) c :
  (forall k l, phi k = phi l -> d k l <= c) -> cost within d <= c.
Proof.
move=> dc; rewrite -(cost_const c lmu coupling_within); have [w0 _ _] := coupling_within.
apply: ler_sum => k _; apply: ler_sum => l _; rewrite [const_mx _ _ _]mxE.
have [kl | kl] := eqVneq (phi k) (phi l); first by rewrite ler_wpmul2l ?dc.
by rewrite mxE eq_sym (negbTE kl) !mul0r.
Qed.
End Classes.
