(* Bad transitions with probability p: a pair of them against a single one. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import arith.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* p^2 <= 2p(1-p) exactly when p <= 2/3, with equality at 2/3 (and at 0) *)
Theorem remark_bad_pairs (F : realFieldType) (p : F) : 0 <= p <= 1 ->
  (p ^+ 2 <= 2%:R * p * (1 - p) <-> p <= 2%:R / 3%:R) /\
  (p ^+ 2 = 2%:R * p * (1 - p) <-> p = 0 \/ p = 2%:R / 3%:R).
Proof.
move=> /andP[p0 p1]; split; split.
- move=> h; rewrite leNgt; apply/negP=> lt; have : 0 < p by lra.
  by move: h lt; clear; nra.
- by move: p0; clear; nra.
- have [-> | nz h] := eqVneq p 0; first by left.
  by right; apply: (mulfI nz); lra.
- by case=> ->; [rewrite expr0n !mulr0 mul0r | nra].
Qed.
