(* Abstractions of a chain or of a decision process: a map phi from points to labels, one group a label. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Abstraction.
Variables (F : fieldType) (n m : nat) (phi : 'I_n -> 'I_m).

(* the probability of moving from x into the group c *)
Definition group_mass (P : 'M[F]_n) x c : F := \sum_(z | phi z == c) P x z.

(* equal labels: equal rewards, and equal probabilities of each group next *)
Definition pi_bisimulation (P : 'M[F]_n) (r : 'cV[F]_n) := forall x y, phi x = phi y ->
  r x 0 = r y 0 /\ forall c, group_mass P x c = group_mass P y c.

(* the same for every action *)
Definition bisimulation (A : Type) (P : A -> 'M[F]_n) (r : A -> 'cV[F]_n) :=
  forall a, pi_bisimulation (P a) (r a).
End Abstraction.
