(* Chains: rewards and (sub)stochastic transitions between state-action pairs; a policy; values. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import supnorm.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* non-negative rows with sum at most 1 (the missing mass ends the episode), or exactly 1 *)
Definition substochastic (F : realFieldType) m n (P : 'M[F]_(m, n)) :=
  (forall i j, 0 <= P i j) /\ (forall i, \sum_j P i j <= 1).
Definition stochastic (F : realFieldType) m n (P : 'M[F]_(m, n)) :=
  (forall i j, 0 <= P i j) /\ (forall i, \sum_j P i j = 1).

Section Chain.
Variable F : realFieldType.

Lemma stochastic_sub m n (P : 'M[F]_(m, n)) : stochastic P -> substochastic P.
Proof. by case=> P0 P1; split=> // i; rewrite P1. Qed.

(* the next pair: the next state by P, then an action by the policy *)
Lemma substochastic_mul m n p (P : 'M[F]_(m, n)) (Pi : 'M[F]_(n, p)) :
  substochastic P -> substochastic Pi -> substochastic (P *m Pi).
Proof.
case=> P0 P1 [Q0 Q1]; split=> [i j | i]; first by rewrite mxE sumr_ge0 // => k _; rewrite mulr_ge0.
have -> : \sum_j (P *m Pi) i j = \sum_k P i k * \sum_j Pi k j.
  under eq_bigr do rewrite mxE; rewrite exchange_big /=.
  by apply: eq_bigr => k _; rewrite mulr_sumr.
by apply: le_trans (P1 i); apply: ler_sum => k _; rewrite ler_pimulr.
Qed.

Lemma stochastic_mul m n p (P : 'M[F]_(m, n)) (Pi : 'M[F]_(n, p)) :
  stochastic P -> stochastic Pi -> stochastic (P *m Pi).
Proof.
case=> P0 P1 [Q0 Q1]; split=> [i j | i]; first by rewrite mxE sumr_ge0 // => k _; rewrite mulr_ge0.
under eq_bigr do rewrite mxE; rewrite exchange_big /= -[RHS](P1 i).
by apply: eq_bigr => k _; rewrite -mulr_sumr Q1 mulr1.
Qed.

Lemma stochastic_one m n (P : 'M[F]_(m, n)) : stochastic P -> P *m const_mx 1 = const_mx 1 :> 'cV_m.
Proof.
by case=> _ P1; apply/colP=> i; rewrite !mxE -[RHS](P1 i); apply: eq_bigr => j _; rewrite mxE mulr1.
Qed.

Lemma supnorm_mulP m n p (P : 'M[F]_(m, n)) (A : 'M[F]_(n, p)) :
  substochastic P -> supnorm (P *m A) <= supnorm A.
Proof.
case=> P0 P1; apply: supnorm_le => [|i j]; first exact: supnorm_ge0.
rewrite mxE; apply: le_trans (ler_norm_sum _ _ _) _.
apply: (@le_trans _ _ (\sum_k P i k * supnorm A)).
  by apply: ler_sum => k _; rewrite normrM ger0_norm // ler_wpmul2l // le_supnorm.
by rewrite -mulr_suml ler_pimull // supnorm_ge0.
Qed.

Lemma supnorm_sandwich m n (P : 'M[F]_(m, n)) (A : 'M[F]_n) :
  substochastic P -> supnorm (P *m A *m P^T) <= supnorm A.
Proof.
move=> sP; rewrite -supnorm_tr !trmx_mul trmxK; apply: le_trans (supnorm_mulP _ sP) _.
by rewrite -trmx_mul supnorm_tr supnorm_mulP.
Qed.

(* the sum of absolute values of a row does not grow *)
Definition norm1 n (v : 'rV[F]_n) : F := \sum_i `|v 0 i|.

Lemma norm1_ge0 n (v : 'rV[F]_n) : 0 <= norm1 v.
Proof. by apply: sumr_ge0. Qed.

Lemma norm1_mulP m n (P : 'M[F]_(m, n)) v : substochastic P -> norm1 (v *m P) <= norm1 v.
Proof.
case=> P0 P1; apply: le_trans (_ : \sum_j \sum_i `|v 0 i| * P i j <= _).
  apply: ler_sum => j _; rewrite mxE; apply: le_trans (ler_norm_sum _ _ _) _.
  by apply: ler_sum => i _; rewrite normrM [`|P i j|]ger0_norm.
rewrite exchange_big /=; apply: ler_sum => i _.
by rewrite -mulr_sumr ler_pimulr.
Qed.
End Chain.

(* q, the discounted sum of rewards: the solution of the Bellman equation *)
Definition bellman (F : realFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (f : 'cV[F]_n) : 'cV[F]_n :=
  r + g *: (P *m f).
Definition values (F : realFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) : 'cV[F]_n :=
  invmx (1%:M - g *: P) *m r.

Section Values.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (g : F).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1).

Lemma bellman_contraction f h :
  supnorm (bellman P r g f - bellman P r g h) <= g * supnorm (f - h).
Proof.
have -> : bellman P r g f - bellman P r g h = g *: (P *m (f - h)).
  by rewrite /bellman mulmxBr scalerBr opprD addrACA subrr add0r.
apply: le_trans (supnormZ _ _) _; rewrite ger0_norm // ler_wpmul2l //.
exact: supnorm_mulP.
Qed.

Lemma contracted_eq (a b : F) : a <= g * b -> 0 <= b -> b = a -> b = 0.
Proof.
move=> h b0 e; apply/eqP; rewrite eq_le b0 andbT; move: h; rewrite -e.
rewrite -subr_ge0 -{2}[b]mul1r -mulrBl => h.
by rewrite leNgt; apply/negP=> bp; move: h; rewrite pmulr_lge0 // subr_ge0 leNgt g1.
Qed.

Lemma bellman_unit : 1%:M - g *: P \in unitmx.
Proof.
rewrite -row_free_unit -[_ - _]trmxK row_free_unit unitmx_tr -row_free_unit; apply/inj_row_free => v hv.
apply: (@trmx_inj _ _ _ v 0); rewrite trmx0; apply: supnorm_eq0; set f := v^T.
have e : f = g *: (P *m f).
  move: hv => /(congr1 trmx); rewrite trmx_mul trmxK trmx0 -/f mulmxBl mul1mx -scalemxAl.
  by move/eqP; rewrite subr_eq0 => /eqP.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
apply: (@contracted_eq (supnorm f)) => //; last exact: supnorm_ge0.
rewrite {1}e; apply: le_trans (supnormZ _ _) _; rewrite ger0_norm // ler_wpmul2l //.
exact: supnorm_mulP.
Qed.

Theorem values_fixed : values P r g = bellman P r g (values P r g).
Proof.
have e : (1%:M - g *: P) *m values P r g = r by rewrite mulKVmx ?bellman_unit.
by rewrite /bellman -{2}e mulmxBl mul1mx -scalemxAl subrK.
Qed.

Theorem values_unique q : q = bellman P r g q -> q = values P r g.
Proof.
move=> e; apply/eqP; rewrite -subr_eq0; apply/eqP/supnorm_eq0.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
apply: (@contracted_eq (supnorm (q - values P r g))) => //; last exact: supnorm_ge0.
by rewrite {1}e {1}values_fixed; apply: bellman_contraction.
Qed.
End Values.
