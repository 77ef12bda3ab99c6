(* The law of the reward m steps after a pair: distribution functions, and what is made of their
   integrals. Laws have finite support, so the integral over [lo, hi] is a finite sum over levels. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain reward_kernel stein kernel series mico independent_bound arith.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Integral.
Variable F : realFieldType.
Implicit Types (s : seq F) (h : F -> F).

(* the integral, from the first to the last level, of a function that is constant from each level
   (included) to the next (excluded): sum of (next - level) h(level) *)
Definition step_integral s h : F := \sum_(p <- zip s (behead s)) (p.2 - p.1) * h p.1.

Lemma step_integral1 x h : step_integral [:: x] h = 0.
Proof. by rewrite /step_integral big_nil. Qed.

Lemma step_integral_cons x y s h :
  step_integral [:: x, y & s] h = (y - x) * h x + step_integral (y :: s) h.
Proof. by rewrite /step_integral /= big_cons. Qed.

Lemma eq_step_integral s h h' : h =1 h' -> step_integral s h = step_integral s h'.
Proof. by move=> e; apply: eq_bigr => p _; rewrite e. Qed.

Lemma step_integralD s h h' : step_integral s (fun t => h t + h' t) = step_integral s h + step_integral s h'.
Proof. by rewrite /step_integral -big_split; apply: eq_bigr => p _; rewrite mulrDr. Qed.

Lemma step_integralZ s c h : step_integral s (fun t => c * h t) = c * step_integral s h.
Proof. by rewrite /step_integral mulr_sumr; apply: eq_bigr => p _; rewrite mulrCA. Qed.

(* integrating and averaging may be exchanged *)
Lemma step_integral_sum (I : finType) s (h : I -> F -> F) :
  step_integral s (fun t => \sum_i h i t) = \sum_i step_integral s (h i).
Proof.
rewrite /step_integral exchange_big; apply: eq_bigr => p _.
by rewrite mulr_sumr.
Qed.

Lemma step_integral_const x s c : step_integral (x :: s) (fun=> c) = (last x s - x) * c.
Proof.
elim: s x => [|y s IH] x /=; first by rewrite step_integral1 subrr mul0r.
by rewrite step_integral_cons IH; ring.
Qed.

(* a level a: the indicator of [a, oo) has the integral (last level) - a *)
Lemma step_integral_above x s a : sorted <=%R (x :: s) -> a \in x :: s ->
  step_integral (x :: s) (fun t => (a <= t)%R%:R) = last x s - a.
Proof.
have above y s' b : path <=%R y s' -> b <= y ->
    step_integral (y :: s') (fun t => (b <= t)%R%:R) = last y s' - y.
  elim: s' y => [|z s' IH] y /=; first by rewrite step_integral1 subrr.
  case/andP=> yz zs by_; rewrite step_integral_cons by_ IH ?(le_trans by_ yz) //=; ring.
elim: s x => [|y s IH] x /=; first by rewrite inE => _ /eqP ->; rewrite step_integral1 subrr.
case/andP=> xy ys; rewrite inE => /orP[/eqP -> | ain].
  by rewrite step_integral_cons lexx above //=; ring.
rewrite step_integral_cons IH //; suff -> : (y - x) * (a <= x)%R%:R = 0 by rewrite add0r.
have [ax | _] := leP a x; last by rewrite mulr0.
have ya : y <= a.
  move: ain; rewrite inE => /orP[/eqP -> // | ins].
  by have /allP/(_ a ins) := order_path_min (@le_trans _ F) ys.
have -> : y = x by apply/eqP; rewrite eq_le xy (le_trans ya ax).
by rewrite subrr mul0r.
Qed.

(* |a - b| is the integral of what is between them *)
Lemma step_integral_gap x s a b : sorted <=%R (x :: s) -> a \in x :: s -> b \in x :: s ->
  step_integral (x :: s) (fun t => (a <= t)%R%:R * (1 - (b <= t)%R%:R) + (b <= t)%R%:R * (1 - (a <= t)%R%:R))
    = `|a - b|.
Proof.
move=> ss ain bin.
have e t : (a <= t)%R%:R * (1 - (b <= t)%R%:R) + (b <= t)%R%:R * (1 - (a <= t)%R%:R)
    = (a <= t)%R%:R + ((b <= t)%R%:R + (- 2%:R) * (Order.max a b <= t)%R%:R) :> F.
  by rewrite le_maxl; case: (a <= t); case: (b <= t) => /=; ring.
rewrite (eq_step_integral _ e) !(step_integralD, step_integralZ) !step_integral_above //; last first.
  by rewrite /Order.max; case: ifP.
have [ab | ba] := leP a b; first by rewrite ler0_norm ?subr_le0 //; ring.
by rewrite gtr0_norm ?subr_gt0 //; ring.
Qed.
End Integral.

Section Laws.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (lo hi : F).

(* lo, the rewards in order, hi *)
Definition levels : seq F := lo :: rcons (sort <=%R [seq r z 0 | z <- enum 'I_n]) hi.
(* Pr(the episode lasts m steps more) and Pr(it does, with a reward of at most t then), from each pair *)
Definition lasting m : 'cV[F]_n := iter m (mulmx P) (const_mx 1).
Definition cdf m t : 'cV[F]_n := iter m (mulmx P) (\col_z (r z 0 <= t)%R%:R).
(* Pr(X_m = z) from x *)
Definition reach m (z x : 'I_n) : F := iter m (mulmx P) (delta_mx z 0 : 'cV[F]_n) x 0.
Definition mean_reward m : 'cV[F]_n := iter m (mulmx P) r.

Hypothesis range : forall z, lo <= r z 0 <= hi.
Hypothesis lohi : lo <= hi.

Lemma levels_sorted : sorted <=%R levels.
Proof.
rewrite /levels /= -cats1 cat_path /= andbT; apply/andP; split.
  have : all (>= lo) (sort <=%R [seq r z 0 | z <- enum 'I_n]).
    by rewrite all_sort; apply/allP=> t /mapP[z _ ->]; case/andP: (range z).
  have := sort_sorted (@le_total _ F) [seq r z 0 | z <- enum 'I_n].
  by case: (sort _ _) => //= y s ps /andP[-> _].
have := mem_last lo (sort <=%R [seq r z 0 | z <- enum 'I_n]).
rewrite inE => /orP[/eqP -> // | ]; rewrite mem_sort => /mapP[z _ ->].
by case/andP: (range z).
Qed.

Lemma reward_level z : r z 0 \in levels.
Proof.
have h : r z 0 \in [seq r z 0 | z <- enum 'I_n] by apply/mapP; exists z; rewrite ?mem_enum.
by rewrite /levels inE mem_rcons inE mem_sort h !orbT.
Qed.

Lemma last_level : last lo (rcons (sort <=%R [seq r z 0 | z <- enum 'I_n]) hi) = hi.
Proof. by rewrite last_rcons. Qed.

Lemma iter_mulmx m (A : 'cV[F]_n) x : (iter m (mulmx P) A) x 0 = \sum_z reach m z x * A z 0.
Proof.
rewrite /reach; elim: m x => [|m IH] x /=.
  rewrite (bigD1 x) //= big1 ?addr0 ?mxE ?eqxx ?mul1r // => z zx.
  by rewrite mxE eq_sym (negbTE zx) mul0r.
rewrite mxE (eq_bigr (fun k => \sum_z P x k * reach m z k * A z 0)) => [|k _]; rewrite /reach.
  by rewrite exchange_big; apply: eq_bigr => z _; rewrite -mulr_suml mxE.
by rewrite IH mulr_sumr; apply: eq_bigr => z _; rewrite mulrA.
Qed.

(* E r(X_m) = hi Pr(X_m) - integral of the distribution function *)
Lemma mean_rewardE m x : mean_reward m x 0 = hi * lasting m x 0 - step_integral levels (fun t => cdf m t x 0).
Proof.
rewrite /mean_reward /lasting /cdf !iter_mulmx.
rewrite (eq_step_integral _ (fun t => iter_mulmx m _ x)) step_integral_sum mulr_sumr -sumrB.
apply: eq_bigr => z _; rewrite mxE mulr1.
rewrite (@eq_step_integral _ _ _ (fun t => reach m z x * (r z 0 <= t)%R%:R)) => [|t].
  by rewrite step_integralZ step_integral_above ?levels_sorted ?reward_level // last_level; ring.
by rewrite mxE.
Qed.

Lemma reachS m z x : reach m.+1 z x = \sum_k P x k * reach m z k.
Proof. by rewrite /reach /= mxE. Qed.

Lemma iter_sandwich m (A : 'M[F]_n) x y : (iter m (fun B => P *m B *m P^T) A) x y =
  \sum_k \sum_l reach m k x * reach m l y * A k l.
Proof.
elim: m x y => [|m IH] x y.
  rewrite (bigD1 x) //= (bigD1 y) //= /reach !mxE !eqxx !mul1r !big1 ?addr0 // => [k kx | l ly].
    by rewrite big1 // => l _; rewrite mxE eq_sym (negbTE kx) !mul0r.
  by rewrite !mxE [y == l]eq_sym (negbTE ly) mulr0 mul0r.
rewrite iterS sandwichE.
under eq_bigr => i _ do under eq_bigr => j _ do (rewrite IH mulr_sumr; under eq_bigr => k _ do rewrite mulr_sumr).
under eq_bigr => i _ do rewrite exchange_big /=.
rewrite exchange_big; apply: eq_bigr => k _ /=.
under eq_bigr => i _ do rewrite exchange_big /=.
rewrite exchange_big; apply: eq_bigr => l _ /=.
rewrite !reachS mulr_suml mulr_suml; apply: eq_bigr => i _.
by rewrite mulr_sumr mulr_suml; apply: eq_bigr => j _; ring.
Qed.

(* E |r(X_m) - r(Y_m)| by distribution functions; both copies must last *)
Lemma copies_gapE m x y : copies_gap P r m x y = step_integral levels (fun t =>
  cdf m t x 0 * (lasting m y 0 - cdf m t y 0) + cdf m t y 0 * (lasting m x 0 - cdf m t x 0)).
Proof.
rewrite /copies_gap iter_sandwich; set p := reach m.
have cE t z : cdf m t z 0 = \sum_k p k z * (r k 0 <= t)%R%:R.
  by rewrite /cdf iter_mulmx; apply: eq_bigr => k _; rewrite mxE.
have lE z : lasting m z 0 = \sum_k p k z.
  by rewrite /lasting iter_mulmx; apply: eq_bigr => k _; rewrite mxE mulr1.
rewrite (@eq_step_integral _ _ _ (fun t => \sum_k \sum_l p k x * p l y *
    ((r k 0 <= t)%R%:R * (1 - (r l 0 <= t)%R%:R) + (r l 0 <= t)%R%:R * (1 - (r k 0 <= t)%R%:R)))) => [|t].
  rewrite step_integral_sum; apply: eq_bigr => k _; rewrite step_integral_sum; apply: eq_bigr => l _.
  by rewrite step_integralZ step_integral_gap ?levels_sorted ?reward_level // mxE.
rewrite !cE !lE -!sumrB; symmetry.
rewrite (eq_bigr (fun k => \sum_l (p k x * (r k 0 <= t)%R%:R * (p l y - p l y * (r l 0 <= t)%R%:R)
    + (p k x - p k x * (r k 0 <= t)%R%:R) * (p l y * (r l 0 <= t)%R%:R)))) => [|k _]; last first.
  by apply: eq_bigr => l _; ring.
under eq_bigr do rewrite big_split /= -!mulr_sumr.
by rewrite big_split /= -!mulr_suml [X in _ + X]mulrC.
Qed.

Hypothesis subP : substochastic P.

Lemma lasting_le1 m x : lasting m x 0 <= 1.
Proof.
elim: m x => [|m IH] x; first by rewrite mxE.
rewrite /= mxE; apply: le_trans (subP.2 x); apply: ler_sum => z _.
by rewrite ler_pimulr //; apply: subP.1.
Qed.

Lemma cdf_range m t x : 0 <= cdf m t x 0 <= lasting m x 0.
Proof.
elim: m x => [|m IH] x; first by rewrite !mxE ler0n lern1 leq_b1.
rewrite /= !mxE; apply/andP; split.
  by apply: sumr_ge0 => z _; apply: mulr_ge0; [apply: subP.1 | case/andP: (IH z)].
by apply: ler_sum => z _; apply: ler_wpmul2l; [apply: subP.1 | case/andP: (IH z)].
Qed.
End Laws.
