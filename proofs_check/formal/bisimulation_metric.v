(* The bisimulation metric: the fixed point of the bisimulation operator is a pseudometric, its zero set is the
   coarsest bisimulation, and it bounds differences of optimal values. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import supnorm chain discounted couplings wasserstein abstraction bisimulation_operator.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section OptimalValues.
Variables (R : realFieldType) (n k : nat) (P : 'I_k.+1 -> 'M[R]_n) (r : 'I_k.+1 -> 'cV[R]_n) (g : R).
Hypotheses (stochP : forall a, stochastic (P a)) (g0 : 0 <= g) (g1 : g < 1).

(* (T V)(s) = max_a r_a(s) + g sum_t P_a(s, t) V(t) *)
Definition optimal_bellman (V : 'cV[R]_n) : 'cV[R]_n := \col_s greatest (fun a => bellman (P a) (r a) g V s 0).

Lemma bellmanE a V s : bellman (P a) (r a) g V s 0 = r a s 0 + g * (P a *m V) s 0.
Proof. by rewrite /bellman mxE [in X in _ + X]mxE. Qed.

Lemma mul_below (Q : 'M[R]_n) (u v : 'cV[R]_n) : stochastic Q -> below u v -> below (Q *m u) (Q *m v).
Proof. by case=> Q0 _ uv s j; rewrite !mxE; apply: ler_sum => t _; rewrite ler_wpmul2l. Qed.

Lemma mul_shift (Q : 'M[R]_n) (u : 'cV[R]_n) c : stochastic Q -> Q *m (u + const_mx c) = Q *m u + const_mx c.
Proof.
case=> _ Q1; rewrite mulmxDr; congr (_ + _); apply/matrixP=> s j; rewrite !mxE.
by under eq_bigr do rewrite mxE; rewrite -mulr_suml Q1 mul1r.
Qed.

Lemma optimal_discounted : discounted g optimal_bellman.
Proof.
split=> [u v uv | u c c0] s j; rewrite !ord1 ?shiftE !mxE.
  by apply: greatest_below => a; rewrite !bellmanE ler_add2l ler_wpmul2l // mul_below.
apply: greatest_le => a; rewrite bellmanE mul_shift // shiftE mulrDr addrA ler_add2r -bellmanE.
exact: (greatest_ge (fun a => bellman (P a) (r a) g u s 0)).
Qed.

Theorem optimal_values_exist : exists V, optimal_bellman V = V.
Proof.
pose F := [finType of {ffun 'I_n -> 'I_k.+1}].
pose Q (p : F) : 'M[R]_n := \matrix_(s, t) P (p s) s t.
pose b (p : F) : 'cV[R]_n := \col_s r (p s) s 0.
have sQ p : stochastic (Q p).
  split=> [s t | s]; first by rewrite mxE; apply: (stochP _).1.
  by under eq_bigr do rewrite mxE; apply: (stochP _).2.
pose S p := bellman (Q p) (b p) g.
have SE p V s : S p V s 0 = bellman (P (p s)) (r (p s)) g V s 0.
  rewrite bellmanE /S /bellman mxE [in X in _ + X]mxE [b _ _ _]mxE; congr (_ + _ * _).
  by rewrite !mxE; apply: eq_bigr => t _; rewrite mxE.
apply: (@policy_iteration_max _ _ _ _ F [ffun=> ord0] S optimal_bellman g1).
- move=> p; split=> [u v uv | u c c0] s j; rewrite !ord1.
    by rewrite !SE !bellmanE ler_add2l ler_wpmul2l // mul_below.
  by rewrite shiftE !SE !bellmanE mul_shift // shiftE mulrDr addrA.
- by move=> p; exists (values (Q p) (b p) g); rewrite /S -values_fixed //; apply: stochastic_sub.
- move=> p V s j; rewrite !ord1 SE [X in _ <= X]mxE.
  exact: (greatest_ge (fun a => bellman (P a) (r a) g V s 0)).
- move=> V; have /fin_all_exists[f ef] s :
      exists a, greatest (fun a => bellman (P a) (r a) g V s 0) = bellman (P a) (r a) g V s 0.
    exact: greatest_attained.
  by exists [ffun s => f s]; apply/colP=> s; rewrite SE ffunE [RHS]mxE ef.
Qed.
End OptimalValues.

Section Metric.
Variables (R : realFieldType) (n k : nat) (P : 'I_k.+1 -> 'M[R]_n) (r : 'I_k.+1 -> 'cV[R]_n) (g : R).
Hypotheses (stochP : forall a, stochastic (P a)) (g0 : 0 <= g) (g1 : g < 1).

Let B := bisimulation_operator P r g.
Let gap := action_gap P r g.
Let lP a s : law (row s (P a)). Proof. exact: law_row. Qed.

Lemma gap_triangle (d : 'M[R]_n) c s t u a : (forall x y z, d x z <= d x y + d y z + c) ->
  gap d s u a <= gap d s t a + gap d t u a + g * c.
Proof.
move=> tri; have := wasserstein_triangle (lP a s) (lP a t) (lP a u) tri.
move/(ler_wpmul2l g0); rewrite !mulrDr => W.
rewrite /gap /action_gap [X in _ <= X + _]addrACA -[X in _ <= X]addrA.
by apply: ler_add; [apply: ler_dist_add | exact: W].
Qed.

(* the operator keeps pseudometrics *)
Theorem bisimulation_pseudometric d : pseudometric d -> pseudometric (B d).
Proof.
move=> md; have d0 x y : 0 <= d x y by apply: pseudometric_ge0.
case: (md) => dz ds dt; split=> [s | s t | s t u]; rewrite !mxE.
- have e a : gap d s s a = 0.
    rewrite /gap /action_gap subrr normr0 add0r.
    have -> : wasserstein d (row s (P a)) (row s (P a)) = 0.
      by apply/eqP; rewrite eq_le wasserstein_same // wasserstein_ge0.
    by rewrite mulr0.
  by have [a ->] := greatest_attained (gap d s s).
- have sd : d^T = d by apply/matrixP=> x y; rewrite mxE.
  by apply: eq_greatest => a; rewrite /action_gap distrC -wasserstein_sym // sd.
- have [a ->] := greatest_attained (gap d s u).
  have tri x y z : d x z <= d x y + d y z + 0 by rewrite addr0.
  apply: le_trans (gap_triangle s t u a tri) _; rewrite mulr0 addr0.
  by apply: ler_add; apply: (greatest_ge (gap d _ _)).
Qed.

Section FixedPoint.
Variable d : 'M[R]_n.
Hypothesis fixed : B d = d.

Lemma fixedE s t : d s t = greatest (gap d s t). Proof. by rewrite -{1}fixed mxE. Qed.

Lemma gap_le s t a : gap d s t a <= d s t. Proof. by rewrite fixedE; apply: greatest_ge. Qed.

Lemma fixed_ge0 s t : 0 <= d s t.
Proof.
have := comparison g1 (bisimulation_discounted r stochP g0) (u := d) (v := 0).
move=> /(_ _ _ s t); rewrite mxE; apply; first by rewrite -/B fixed.
move=> x y; rewrite !mxE; apply: le_trans (greatest_ge _ ord0).
rewrite addr_ge0 ?mulr_ge0 // wasserstein_ge0 // => u v; by rewrite mxE.
Qed.

Theorem fixed_pseudometric : pseudometric d.
Proof.
split=> [s | s t | s t u].
- apply/eqP; rewrite eq_le fixed_ge0 andbT.
  apply: (@shrink _ _ _ (fun s => d s s) g1 _ s) => c c0 h {}s; rewrite fixedE.
  apply: greatest_le => a; rewrite /gap /action_gap subrr normr0 add0r ler_wpmul2l //.
  apply: le_trans (wasserstein_le d (coupling_same (lP a s))) _.
  rewrite -(cost_const c (lP a s) (coupling_same (lP a s))).
  apply: ler_sum => x _; apply: ler_sum => y _; rewrite [diag_mx _ _ _]mxE; case: eqP => [-> | _].
    by rewrite mulr1n ler_wpmul2l ?(lP a s).1 // mxE.
  by rewrite mulr0n !mul0r.
- suff sd : d^T = d by rewrite -{1}sd mxE.
  apply: (discounted_unique g1 (bisimulation_discounted r stochP g0)) => //.
  apply/matrixP=> x y; rewrite !mxE fixedE; apply: eq_greatest => a.
  by rewrite /gap /action_gap distrC wasserstein_sym.
- rewrite -subr_le0.
  apply: (@shrink _ _ _ (fun p => d p.1.1 p.2 - (d p.1.1 p.1.2 + d p.1.2 p.2)) g1 _ (s, t, u)).
  move=> c c0 h [[x y] z] /=; rewrite ler_subl_addl [d x z]fixedE; apply: greatest_le => a.
  have tri x' y' z' : d x' z' <= d x' y' + d y' z' + c by have := h (x', y', z'); rewrite ler_subl_addl.
  by apply: le_trans (gap_triangle x y z a tri) _; rewrite ler_add2r ler_add ?gap_le.
Qed.

(* |V*(s) - V*(t)| <= d(s, t) *)
Theorem fixed_bounds_values V s t : optimal_bellman P r g V = V -> `|V s 0 - V t 0| <= d s t.
Proof.
move=> eV; have [_ ds _] := fixed_pseudometric.
suff half x y : V x 0 - V y 0 <= d x y by rewrite ler_norml half andbT ler_oppl opprB ds half.
rewrite -subr_le0.
apply: (@shrink _ _ _ (fun p => V p.1 0 - V p.2 0 - d p.1 p.2) g1 _ (x, y)) => c c0 h [{}x {}y] /=.
have VE z : V z 0 = greatest (fun a => bellman (P a) (r a) g V z 0) by rewrite -{1}eV mxE.
have [a ea] := greatest_attained (fun a => bellman (P a) (r a) g V x 0).
rewrite ler_subl_addl; apply: le_trans (ler_add (gap_le x y a) (lexx _)).
have Vy : bellman (P a) (r a) g V y 0 <= V y 0.
  by rewrite VE; apply: (greatest_ge (fun a => bellman (P a) (r a) g V y 0)).
apply: le_trans (_ : V x 0 - bellman (P a) (r a) g V y 0 <= _); first by rewrite ler_add2l ler_opp2.
rewrite VE ea !bellmanE opprD addrACA -mulrBr /gap /action_gap -[X in _ <= X]addrA -mulrDr.
apply: ler_add; first exact: ler_norm.
have E z : (P a *m V) z 0 = (row z (P a) *m V) 0 0 by rewrite -row_mul [RHS]mxE.
rewrite ler_wpmul2l // !E; apply: wasserstein_dual => // u v.
by have := h (u, v); rewrite /= ler_subl_addl.
Qed.

(* equal labels under a bisimulation are at distance zero: couple within the groups *)
Theorem bisimilar_zero m (phi : 'I_n -> 'I_m) s t : bisimulation phi P r -> phi s = phi t -> d s t = 0.
Proof.
move=> bi st; apply/eqP; rewrite eq_le fixed_ge0 andbT; pose f p := if phi p.1 == phi p.2 then d p.1 p.2 else 0.
suff : f (s, t) <= 0 by rewrite /f /= st eqxx.
apply: (shrink g1) => c c0 h [x y]; rewrite /f /=; case: eqP => [xy | _]; last by rewrite mulr_ge0.
rewrite fixedE; apply: greatest_le => a; have [e mass] := bi a x y xy.
rewrite /gap /action_gap e subrr normr0 add0r ler_wpmul2l //.
have same z : \sum_(i | phi i == z) row x (P a) 0 i = \sum_(i | phi i == z) row y (P a) 0 i.
  by have := mass z; rewrite /group_mass => E; under eq_bigr do rewrite mxE; under [RHS]eq_bigr do rewrite mxE.
apply: le_trans (wasserstein_le d (coupling_within (lP a x) (lP a y) same)) _.
apply: (cost_within (lP a x) (lP a y) same) => u v uv.
by have := h (u, v); rewrite /f /= uv eqxx.
Qed.

Hypothesis gpos : 0 < g.

(* the groups of states at distance zero, each named by one of its states *)
Definition zero_class s : 'I_n := odflt s [pick t | d s t == 0].

Lemma zero_classP s t : zero_class s = zero_class t <-> d s t = 0.
Proof.
have [dz ds dt] := fixed_pseudometric.
have own u : d u (zero_class u) = 0 by rewrite /zero_class; case: pickP => [v /eqP | _].
have zero x y z : d x y = 0 -> d y z = 0 -> d x z = 0.
  by move=> e1 e2; apply/eqP; rewrite eq_le fixed_ge0 andbT -[0]addr0 -{1}e1 -e2.
split=> [e | st]; first by apply: zero (own s) _; rewrite e ds.
have E : [pick u | d s u == 0] = [pick u | d t u == 0].
  apply: eq_pick => u; apply/eqP/eqP => e; apply: zero e; by rewrite // ds.
rewrite /zero_class -E; case: pickP => // none.
by have := none s; rewrite dz eqxx.
Qed.

Theorem zero_bisimulation : bisimulation zero_class P r.
Proof.
move=> a x y /zero_classP xy; have [dz ds dt] := fixed_pseudometric.
have := gap_le x y a; rewrite xy /gap /action_gap => le0.
have W0 : 0 <= wasserstein d (row x (P a)) (row y (P a)) by apply: wasserstein_ge0 => // u v; apply: fixed_ge0.
have /andP[/eqP re /eqP We] : (`|r a x 0 - r a y 0| == 0) && (g * wasserstein d (row x (P a)) (row y (P a)) == 0).
  by rewrite -paddr_eq0 ?mulr_ge0 // eq_le le0 addr_ge0 // mulr_ge0.
split; first by apply/eqP; rewrite -subr_eq0 -normr_eq0 re.
move=> c; have [[w cw ew] _] := wassersteinP d (lP a x) (lP a y); have [w0 e1 e2] := cw.
have {We} /eqP : cost w d = 0.
  by apply/eqP; rewrite ew; move/eqP: We; rewrite mulf_eq0 (gt_eqF gpos).
have wd0 u v : 0 <= w u v * d u v by rewrite mulr_ge0 ?fixed_ge0.
rewrite /cost psumr_eq0 => [|u _]; last by apply: sumr_ge0.
move/allP => rows; have off u v : w u v != 0 -> zero_class u = zero_class v.
  move=> nz; apply/zero_classP; have /implyP := rows u (mem_index_enum _); move/(_ isT).
  rewrite psumr_eq0 => [|z _] //; move/allP/(_ v (mem_index_enum _))/implyP/(_ isT).
  by rewrite mulf_eq0 (negbTE nz) => /eqP.
rewrite /group_mass.
have -> : \sum_(z | zero_class z == c) P a x z = \sum_(z | zero_class z == c) \sum_v w z v.
  by apply: eq_bigr => z _; rewrite e1 mxE.
have -> : \sum_(z | zero_class z == c) P a y z = \sum_(z | zero_class z == c) \sum_u w u z.
  by apply: eq_bigr => z _; rewrite e2 mxE.
rewrite [RHS]exchange_big [LHS]big_mkcond; apply: eq_bigr => u _; rewrite [RHS]big_mkcond.
have [uc | uc] := boolP (zero_class u == c).
  apply: eq_bigr => v _; case: ifP => // /negbT vc; apply/eqP; apply: contraR vc => /off <-.
  exact: uc.
rewrite big1 // => v _; case: ifP => // vc; apply/eqP; apply: contraR uc => /off ->.
exact: vc.
Qed.
End FixedPoint.
End Metric.
