(* Proving a claim by the small-model theorem: what to apply, the rules of curvature, and the tactics
   "curvature" and "small_points", after which a polynomial inequality is left. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain reward_kernel stein kernel mico reward_laws cramer arith.
From Krope Require Import reduction small_chain small_model.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma row_entry (F : realFieldType) k (b : 'I_k -> F) i : (\row_j b j) 0 i = b i.
Proof. by rewrite mxE. Qed.
Lemma matrix_entry (F : realFieldType) k (b : 'I_k -> 'I_k -> F) i j : (\matrix_(i, j) b i j) i j = b i j.
Proof. by rewrite mxE. Qed.
Lemma const_row (F : realFieldType) k (c : F) i : (const_mx c : 'rV[F]_k) 0 i = c.
Proof. by rewrite mxE. Qed.
Lemma const_matrix (F : realFieldType) k (c : F) i j : (const_mx c : 'M[F]_k) i j = c.
Proof. by rewrite mxE. Qed.

(* K = N - U/R, with N the discounted mass of two copies lasting together *)
Lemma kernel_quantities (F : realFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) x y :
  substochastic P -> 0 <= g -> g < 1 ->
  krope_kernel P r R g x y = stein_solution P g (const_mx 1) x y - mico P r g x y / R.
Proof.
move=> sub g0 g1; set N := stein_solution P g (const_mx 1); set U := mico P r g.
suff -> : krope_kernel P r R g = N - R^-1 *: U by rewrite mxE [X in _ + X]mxE [X in - X]mxE mulrC.
symmetry; apply: (krope_kernel_unique sub g0 g1).
have eN : N = const_mx 1 + g *: (P *m N *m P^T) := stein_solutionP sub g0 g1 _.
have eU : U = reward_gap r + g *: (P *m U *m P^T) := stein_solutionP sub g0 g1 _.
rewrite /krope_op mulmxBr mulmxBl -scalemxAr -scalemxAl {1}eN {1}eU.
move: (P *m N *m P^T) (P *m U *m P^T) => A B; apply/matrixP=> i j; rewrite !mxE.
by move: (A i j) (B i j) `|_| => a b c; ring.
Qed.

Section Claims.
Variables (F : archiFieldType) (n k : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (g lo hi : F) (t : k.-tuple 'I_n).
Variable G : 'rV[F]_k -> 'rV[F]_k -> 'M[F]_k -> 'M[F]_k -> F.
Hypotheses (g01 : 0 <= g < 1) (range : forall z, lo <= r z 0 <= hi) (lohi : lo <= hi) (cG : concave4 G).

(* episodes may end; w = gamma/(1-gamma), f_i and e_i the probabilities of going to lo and to hi *)
Lemma ending_claim : substochastic P ->
  (forall w f e, w = g / (1 - g) -> 0 <= w ->
     (forall i : 'I_k, 0 <= f i) -> (forall i : 'I_k, 0 <= e i) -> (forall i : 'I_k, f i + e i <= 1) ->
     0 <= G (\row_i (r (tnth t i) 0 + w * (lo * f i + hi * e i))) (\row_i (1 + w * (f i + e i)))
            (\matrix_(i, j) (`|r (tnth t i) 0 - r (tnth t j) 0| + w * (hi - lo) * (f i * e j + f j * e i)))
            (\matrix_(i, j) (1 + w * ((f i + e i) * (f j + e j))))) ->
  0 <= G (\row_i values P r g (tnth t i) 0) (\row_i values P (const_mx 1) g (tnth t i) 0)
         (\matrix_(i, j) mico P r g (tnth t i) (tnth t j))
         (\matrix_(i, j) stein_solution P g (const_mx 1) (tnth t i) (tnth t j)).
Proof.
move=> sub h; case/andP: g01 => g0 g1; have h1 : 0 < 1 - g by rewrite subr_gt0.
have := @ending_sound _ _ _ _ _ _ _ _ (tnth t) g0 g1 lohi range G sub cG; apply=> f m fm.
have f0 i : 0 <= f 0 i by have [/andP[]] := fm i.
have e0 i : 0 <= m 0 i - f 0 i by have [/andP[_]] := fm i; rewrite subr_ge0.
have m1 i : f 0 i + (m 0 i - f 0 i) <= 1 by have [_] := fm i; rewrite addrCA subrr addr0.
have := h (g / (1 - g)) _ _ erefl (divr_ge0 g0 (ltW h1)) f0 e0 m1.
congr (_ <= G _ _ _ _); [apply/rowP=> j | apply/rowP=> j | apply/matrixP=> i j | apply/matrixP=> i j].
all: rewrite !mxE /=; congr (_ + _ * _).
all: by ring.
Qed.

(* no episode ends *)
Lemma conservative_claim : stochastic P ->
  (forall w f, w = g / (1 - g) -> 0 <= w -> (forall i : 'I_k, 0 <= f i) -> (forall i : 'I_k, f i <= 1) ->
     0 <= G (\row_i (r (tnth t i) 0 + w * (hi - (hi - lo) * f i))) (const_mx (1 + w))
            (\matrix_(i, j) (`|r (tnth t i) 0 - r (tnth t j) 0|
               + w * (hi - lo) * (f i * (1 - f j) + f j * (1 - f i)))) (const_mx (1 + w))) ->
  0 <= G (\row_i values P r g (tnth t i) 0) (\row_i values P (const_mx 1) g (tnth t i) 0)
         (\matrix_(i, j) mico P r g (tnth t i) (tnth t j))
         (\matrix_(i, j) stein_solution P g (const_mx 1) (tnth t i) (tnth t j)).
Proof.
move=> stoP h; case/andP: g01 => g0 g1; have h1 : 0 < 1 - g by rewrite subr_gt0.
have sub := stochastic_sub stoP.
have point (f : 'rV[F]_k) : (forall i, 0 <= f 0 i <= 1) -> 0 <= G
    (point_values (\row_i r (tnth t i) 0) lo hi g f (const_mx 1)) (point_lives g (const_mx 1))
    (point_mico (\row_i r (tnth t i) 0) lo hi g f (const_mx 1)) (point_mass g (const_mx 1)).
  move=> hf; have f0 i : 0 <= f 0 i by case/andP: (hf i).
  have f1 i : f 0 i <= 1 by case/andP: (hf i).
  have := h (g / (1 - g)) _ erefl (divr_ge0 g0 (ltW h1)) f0 f1.
  congr (_ <= G _ _ _ _);
    [apply/rowP=> j | apply/rowP=> j | apply/matrixP=> i j | apply/matrixP=> i j]; by rewrite !mxE ?mulr1.
apply: (@reduction _ _ _ _ _ _ _ _ (tnth t) sub g0 g1 range lohi G cG).
- by apply: point => i; rewrite mxE lexx ler01.
- move=> m s; have -> : \row_i lasting P m.+1 (tnth t i) 0 = const_mx 1.
    by apply/rowP=> i; rewrite row_entry lasting_stochastic // !mxE.
  apply: point => i; rewrite row_entry; have := cdf_range r sub m.+1 s (tnth t i).
  by rewrite lasting_stochastic // [const_mx 1 _ _]mxE.
Qed.
End Claims.

(* Curvature. *)
Section Curvature.
Variables (F : realFieldType) (k : nat).
Implicit Types (A B G H : 'rV[F]_k -> 'rV[F]_k -> 'M[F]_k -> 'M[F]_k -> F).

Definition affine4 A := forall t q l U N q' l' U' N',
  A (t *: q + (1 - t) *: q') (t *: l + (1 - t) *: l') (t *: U + (1 - t) *: U') (t *: N + (1 - t) *: N')
    = t * A q l U N + (1 - t) * A q' l' U' N'.
Definition convex4 A := concave4 (fun q l U N => - A q l U N).

Lemma affine_const c : affine4 (fun _ _ _ _ => c). Proof. by move=> *; ring. Qed.
Lemma affine_value i : affine4 (fun q _ _ _ => q 0 i). Proof. by move=> *; rewrite !mxE. Qed.
Lemma affine_life i : affine4 (fun _ l _ _ => l 0 i). Proof. by move=> *; rewrite !mxE. Qed.
Lemma affine_mico i j : affine4 (fun _ _ U _ => U i j). Proof. by move=> *; rewrite !mxE. Qed.
Lemma affine_mass i j : affine4 (fun _ _ _ N => N i j). Proof. by move=> *; rewrite !mxE. Qed.
Lemma affine_add A B : affine4 A -> affine4 B -> affine4 (fun q l U N => A q l U N + B q l U N).
Proof. by move=> a b t *; rewrite a b; ring. Qed.
Lemma affine_opp A : affine4 A -> affine4 (fun q l U N => - A q l U N).
Proof. by move=> a t *; rewrite a; ring. Qed.
Lemma affine_scale c A : affine4 A -> affine4 (fun q l U N => c * A q l U N).
Proof. by move=> a t *; rewrite a; ring. Qed.
Lemma affine_scale_right c A : affine4 A -> affine4 (fun q l U N => A q l U N * c).
Proof. by move=> a t *; rewrite a; ring. Qed.

Lemma concave_affine A : affine4 A -> concave4 A.
Proof. by move=> a t _ *; rewrite a. Qed.
Lemma concave_add G H : concave4 G -> concave4 H -> concave4 (fun q l U N => G q l U N + H q l U N).
Proof.
move=> cG cH t t01 q l U N q' l' U' N'; apply: le_trans (ler_add (cG t t01 _ _ _ _ _ _ _ _) (cH t t01 _ _ _ _ _ _ _ _)).
by rewrite !mulrDr addrACA.
Qed.
Lemma concave_scale c G : 0 <= c -> concave4 G -> concave4 (fun q l U N => c * G q l U N).
Proof.
move=> c0 cG t t01 q l U N q' l' U' N'; apply: le_trans (ler_wpmul2l c0 (cG t t01 _ _ _ _ _ _ _ _)).
by rewrite mulrDr ![c * (_ * _)]mulrCA.
Qed.
Lemma concave_scale_right c G : 0 <= c -> concave4 G -> concave4 (fun q l U N => G q l U N * c).
Proof.
move=> c0 cG t t01 q l U N q' l' U' N'; rewrite !mulrA -mulrDl.
by rewrite ler_wpmul2r //; apply: cG.
Qed.
(* minus a convex function: a square, an absolute value, a maximum, multiples of them *)
Lemma concave_opp_sq A : affine4 A -> concave4 (fun q l U N => - A q l U N ^+ 2).
Proof.
move=> a t t01 q l U N q' l' U' N'; rewrite a; move: (A q l U N) (A q' l' U' N') => b c.
case/andP: t01 => t0; rewrite -subr_ge0 => t1.
by have := mulr_ge0 (mulr_ge0 t0 t1) (sqr_ge0 (b - c)); nra.
Qed.
Lemma concave_opp_abs A : affine4 A -> concave4 (fun q l U N => - `|A q l U N|).
Proof.
move=> a t /andP[t0 t1] q l U N q' l' U' N'; rewrite a !mulrN -opprD ler_opp2.
have t2 : 0 <= 1 - t by rewrite subr_ge0.
by apply: le_trans (ler_norm_add _ _) _; rewrite !normrM (ger0_norm t0) (ger0_norm t2).
Qed.
Lemma concave_min G H : concave4 G -> concave4 H ->
  concave4 (fun q l U N => Order.min (G q l U N) (H q l U N)).
Proof.
move=> cG cH t t01 q l U N q' l' U' N'; rewrite le_minr; apply/andP; split.
  apply: le_trans (cG t t01 _ _ _ _ _ _ _ _); case/andP: t01 => t0 t1.
  by apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0 // le_minl lexx.
apply: le_trans (cH t t01 _ _ _ _ _ _ _ _); case/andP: t01 => t0 t1.
by apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0 // le_minl lexx orbT.
Qed.
Lemma concave_opp_scale c G : 0 <= c -> concave4 (fun q l U N => - G q l U N) ->
  concave4 (fun q l U N => - (c * G q l U N)).
Proof.
move=> c0 cG t t01 q l U N q' l' U' N'.
by have := concave_scale c0 cG t01 q l U N q' l' U' N'; rewrite !mulrN.
Qed.
Lemma concave_opp_add G H : concave4 (fun q l U N => - G q l U N) -> concave4 (fun q l U N => - H q l U N) ->
  concave4 (fun q l U N => - (G q l U N + H q l U N)).
Proof.
move=> cG cH t t01 q l U N q' l' U' N'; rewrite !opprD.
exact: (concave_add cG cH).
Qed.
Lemma concave_oppK G : concave4 G -> concave4 (fun q l U N => - - G q l U N).
Proof. by move=> cG t t01 q l U N q' l' U' N'; rewrite !opprK; apply: cG. Qed.
End Curvature.

Ltac affine_rules := repeat first
  [ apply affine_const | apply affine_value | apply affine_life | apply affine_mico | apply affine_mass
  | apply affine_add | apply affine_opp | apply affine_scale | apply affine_scale_right ].
(* leaves the signs of coefficients *)
Ltac curvature := repeat first
  [ solve [apply concave_affine; affine_rules] | apply concave_add | apply concave_scale
  | apply concave_scale_right | apply concave_min
  | apply concave_opp_sq; solve [affine_rules] | apply concave_opp_abs; solve [affine_rules]
  | apply concave_opp_scale | apply concave_opp_add | apply concave_oppK ].
(* reads the entries of the small chain's point *)
Ltac small_points := rewrite !(row_entry, matrix_entry, const_row, const_matrix) /tnth /=.
(* signs of coefficients *)
Ltac signs := repeat first
  [ assumption | exact: ler01 | exact: ler0n | exact: sqr_ge0 | exact: normr_ge0 | lra
  | apply: mulr_ge0 | apply: addr_ge0 | rewrite invr_ge0 ].
(* absolute values by cases *)
Ltac without_norms := repeat match goal with |- context [Num.norm ?a] => case: (ger0P a) => ? end.
