(* Value differences are at most the MICo distance: the printed lemma repaired, with the spread of two
   independent copies of the chain in its constant. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain reward_kernel stein kernel series mico arith.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* E |r(X_m) - r(Y_m)|, the expected gap of two independent copies m steps after x and y *)
Definition copies_gap (F : realFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) m : 'M[F]_n :=
  iter m (fun A => P *m A *m P^T) (reward_gap r).

Section Transport.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (g : F).
Hypotheses (stoP : stochastic P) (g0 : 0 <= g) (g1 : g < 1).
Let P0 := stoP.1.
Let P1 := stoP.2.
Let U := mico P r g.
Let q := values P r g.

Lemma sandwichE (A : 'M[F]_n) x y :
  (P *m A *m P^T) x y = \sum_k \sum_l P x k * P y l * A k l.
Proof.
rewrite mxE exchange_big /=; apply: eq_bigr => l _.
by rewrite !mxE mulr_suml; apply: eq_bigr => k _; rewrite mulrAC.
Qed.

Lemma mean_const c x y : \sum_k \sum_l P x k * P y l * c = c.
Proof.
rewrite (eq_bigr (fun k => P x k * c)) => [|k _].
  by rewrite -mulr_suml P1 mul1r.
by rewrite -mulr_suml -mulr_sumr P1 mulr1.
Qed.

Lemma mean_diff x y :
  (P *m q) x 0 - (P *m q) y 0 = \sum_k \sum_l P x k * P y l * (q k 0 - q l 0).
Proof.
rewrite (eq_bigr (fun k => P x k * q k 0 - P x k * (P *m q) y 0)) => [|k _].
  by rewrite sumrB -mulr_suml P1 mul1r !mxE.
rewrite (eq_bigr (fun l => P x k * q k 0 * P y l - P x k * (P y l * q l 0))) => [|l _].
  by rewrite sumrB -!mulr_sumr P1 mulr1 !mxE.
by ring.
Qed.

Let D x y := U x y - `|q x 0 - q y 0|.

Lemma surplus_step x y : g * (\sum_k \sum_l P x k * P y l * D k l) <= D x y.
Proof.
have -> : \sum_k \sum_l P x k * P y l * D k l =
    (P *m U *m P^T) x y - \sum_k \sum_l P x k * P y l * `|q k 0 - q l 0|.
  rewrite sandwichE -sumrB; apply: eq_bigr => k _; rewrite -sumrB.
  by apply: eq_bigr => l _; rewrite mulrBr.
have Ue : U x y = `|r x 0 - r y 0| + g * (P *m U *m P^T) x y.
  by rewrite {1}/U (micoP r stoP g0 g1) -/U mxE [X in _ + X]mxE [reward_gap _ _ _]mxE.
have qe z : q z 0 = r z 0 + g * (P *m q) z 0.
  by rewrite {1}/q (values_fixed r (stochastic_sub stoP) g0 g1) -/q !mxE.
set S := \sum_k _; rewrite /D Ue.
have tri : `|q x 0 - q y 0| <= `|r x 0 - r y 0| + g * S.
  have -> : q x 0 - q y 0 = (r x 0 - r y 0) + g * ((P *m q) x 0 - (P *m q) y 0).
    by rewrite !qe; set a := (P *m q) x 0; set b := (P *m q) y 0; ring.
  apply: le_trans (ler_norm_add _ _) _; rewrite ler_add2l normrM ger0_norm //.
  rewrite ler_wpmul2l // mean_diff; apply: le_trans (ler_norm_sum _ _ _) _.
  apply: ler_sum => k _; apply: le_trans (ler_norm_sum _ _ _) _.
  by apply: ler_sum => l _; rewrite normrM ger0_norm // mulr_ge0.
rewrite -subr_ge0; move: tri; rewrite -subr_ge0.
by congr (0 <= _); ring.
Qed.

Theorem value_gap_mico x y : `|q x 0 - q y 0| <= U x y.
Proof.
have [[a b] _ minD] := @arg_minP _ _ _ (x, y) xpredT (fun p => D p.1 p.2) isT.
rewrite -subr_ge0 -/(D x y); apply: le_trans (minD (x, y) isT) => /=.
have : g * D a b <= D a b.
  apply: le_trans (surplus_step a b); rewrite ler_wpmul2l //.
  rewrite -{1}(mean_const (D a b) a b); apply: ler_sum => k _; apply: ler_sum => l _.
  by rewrite ler_wpmul2l ?mulr_ge0 //; apply: (minD (k, l)).
by rewrite -subr_ge0 -{1}[D a b]mul1r -mulrBl pmulr_rge0 // subr_gt0.
Qed.
End Transport.

Section Bound.
Variables (F : archiFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F).
Hypotheses (stoP : stochastic P) (g0 : 0 <= g) (g1 : g < 1).

Lemma mico_error m x y :
  `|\sum_(t < m) g ^+ t * copies_gap P r t x y - mico P r g x y| <= g ^+ m * supnorm (mico P r g).
Proof.
apply: le_trans (series_error (stochastic_sub stoP) g0 g1 (reward_gap r) m).
set A := stein_partial _ _ _ _; set S := stein_solution _ _ _.
have -> : \sum_(t < m) g ^+ t * copies_gap P r t x y - mico P r g x y = (A - S) x y.
  by rewrite mxE [(- S) x y]mxE summxE; congr (_ - _); apply: eq_bigr => t _; rewrite mxE.
exact: le_supnorm.
Qed.

Lemma mico_series x y : series_to (fun m => g ^+ m * copies_gap P r m x y) (mico P r g x y).
Proof. exact: series_geom g0 g1 (fun m => mico_error m x y). Qed.

(* the divisor is 0 only where all rewards are equal *)
Hypothesis hR : R = 0 -> spread r = 0.

(* |q(x) - q(y)| <= (R/2) d(x,y) + (1/2) sum_m gamma^m (D_m(x) + D_m(y)), which is U(x,y) *)
Theorem value_bound_independent x y :
  exists C, series_to (fun m => g ^+ m * (copies_gap P r m x x + copies_gap P r m y y) / 2%:R) C /\
    `|values P r g x 0 - values P r g y 0| <= R / 2%:R * krope_dist P r R g x y + C /\
    R / 2%:R * krope_dist P r R g x y + C = mico P r g x y.
Proof.
exists (mico P r g x x / 2%:R + mico P r g y y / 2%:R).
rewrite addrA -(mico_split stoP g0 g1 x y hR); split; last by split=> //; apply: value_gap_mico.
apply: (@series_geom _ _ _ g (supnorm (mico P r g))) => // m.
have := ler_add (mico_error m x x) (mico_error m y y); set B := g ^+ m * _.
set sx := \sum_(t < m) _; set sy := \sum_(t < m) _ => h.
have -> : \sum_(t < m) g ^+ t * (copies_gap P r t x x + copies_gap P r t y y) / 2%:R = (sx + sy) / 2%:R.
  rewrite /sx /sy -big_split /= mulr_suml; apply: eq_bigr => t _.
  by rewrite -mulrDr.
have -> : (sx + sy) / 2%:R - (mico P r g x x / 2%:R + mico P r g y y / 2%:R)
    = ((sx - mico P r g x x) + (sy - mico P r g y y)) / 2%:R.
  by lra.
rewrite normrM [`|2%:R^-1|]ger0_norm ?invr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n //.
apply: le_trans (ler_norm_add _ _) _; apply: le_trans h _.
by rewrite mulr_natr mulr2n.
Qed.
End Bound.
