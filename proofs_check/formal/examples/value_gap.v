(* Claims proved by the small-model theorem, for chains of every size; no episode ends. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import chain reward_kernel stein kernel mico arith reduction small_model claims psd.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* abs(q[x] - q[y]) <= U[x,y] *)
Theorem value_gap (F : archiFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (x y : 'I_n) :
  stochastic P -> 0 <= g < 1 ->
  forall lo hi, (forall z, lo <= r z 0 <= hi) ->
  `|values P r g x 0 - values P r g y 0| <= mico P r g x y.
Proof.
move=> chain g01 lo hi range.
have lohi : lo <= hi by case/andP: (range x); apply: le_trans.
have claim := @conservative_claim F n 2 P r g lo hi [tuple x; y]
  (fun q l U N => U 0 1 + - `|q 0 0 + - q 0 1|) g01 range lohi.
rewrite -subr_ge0; move: claim; rewrite !(row_entry, matrix_entry) /tnth /=; apply=> //; first by curvature.
move=> w f _ w0 f0 f1; small_points.
have /andP[xl xh] := range x; have /andP[yl yh] := range y.
have := f0 0; have := f1 0; have := f0 1; have := f1 1; move: (f 0) (f 1) => a b b1 b0 a1 a0.
have n1 := ler_norm (r x 0 - r y 0); have n2 := ler_norm (- (r x 0 - r y 0)); rewrite normrN in n2.
move: `|r x 0 - r y 0| n1 n2 => s n1 n2; rewrite subr_ge0 ler_norml.
have p1 : 0 <= w * (hi - lo) * (a * (1 - b)) by rewrite !mulr_ge0 ?subr_ge0.
have p2 : 0 <= w * (hi - lo) * (b * (1 - a)) by rewrite !mulr_ge0 ?subr_ge0.
nra.
Qed.
