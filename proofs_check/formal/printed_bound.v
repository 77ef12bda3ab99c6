(* The printed bound on value differences, |q(x) - q(y)| <= d(x,y) + C with a constant C made of two
   children of one common ancestor: false in general, true on deterministic chains. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import psd chain reward_kernel stein kernel series mico independent_bound rational witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.

Section Claim.
Local Open Scope ring_scope.
Variable F : realFieldType.

(* E |r(X1) - r(X2)| over two independent successors of each pair *)
Definition siblings n (P : 'M[F]_n) (r : 'cV[F]_n) : 'cV[F]_n :=
  \col_x \sum_k \sum_l P x k * P x l * `|r k 0 - r l 0|.
(* Delta_m(x): the same for the successors of one pair drawn m steps after x *)
Definition sibling_gap n (P : 'M[F]_n) (r : 'cV[F]_n) m : 'cV[F]_n := iter m (mulmx P) (siblings P r).

Definition lemma_value_bound_claim := forall n (P : 'M[F]_n) (r : 'cV[F]_n) (g : F),
  paper_chain P r g -> forall x y C,
  series_to (fun m => g ^+ m * (sibling_gap P r m x 0 + sibling_gap P r m y 0) / 2%:R) C ->
  `|values P r g x 0 - values P r g y 0| <= krope_dist P r (spread r) g x y + C.
End Claim.

(* x -> a (3/4), b (1/4); y -> a (1/4), b (3/4); a -> +, b -> -, both absorbing; order x y a b + - *)
Section Tables.
Local Open Scope Q_scope.
Definition ancestor_P : seq (seq Q) :=
  [:: [:: 0; 0; 3#4; 1#4; 0; 0]; [:: 0; 0; 1#4; 3#4; 0; 0]; [:: 0; 0; 0; 0; 1; 0];
      [:: 0; 0; 0; 0; 0; 1]; [:: 0; 0; 0; 0; 1; 0]; [:: 0; 0; 0; 0; 0; 1]].
Definition ancestor_r : seq Q := [:: 0; 0; 0; 0; 1; -1].
Definition ancestor_q : seq Q := [:: 81#20; -81#20; 9; -9; 10; -10].
Definition ancestor_K : seq (seq Q) :=
  [:: [:: 557#80; 79#16; 301#40; 139#40; 281#40; 119#40];
      [:: 79#16; 557#80; 139#40; 301#40; 119#40; 281#40];
      [:: 301#40; 139#40; 10; 1; 19#2; 1#2];
      [:: 139#40; 301#40; 1; 10; 1#2; 19#2];
      [:: 281#40; 119#40; 19#2; 1#2; 10; 0];
      [:: 119#40; 281#40; 1#2; 19#2; 0; 10]].
Definition nine_tenths : Q := 9#10.
Definition siblingsQ n p r := allQ n (fun x => Qeq_bool 0
  (sumQ n (fun k => sumQ n (fun l => entry p x k * entry p x l * gapQ r k l)))).
End Tables.

Local Open Scope ring_scope.

Lemma siblingsQP (F : realFieldType) n p r m : siblingsQ n p r ->
  sibling_gap (mxQ F n n p) (colQ F n r) m = 0.
Proof.
move/allQP=> h; rewrite /sibling_gap; elim: m => [|m IH] /=; last by rewrite IH mulmx0.
apply/colP=> x; rewrite mxE [RHS]mxE; apply: etrans (ofQ0 F).
rewrite [RHS](ofQ_eqP F (h x)) sumQE; apply: eq_bigr => k _.
by rewrite sumQE; apply: eq_bigr => l _; rewrite gapQE !ofQM !mxE.
Qed.

(* |q(x) - q(y)| = 81/10, d(x,y) = 81/20, C = 0 *)
Theorem lemma_value_bound (F : realFieldType) : ~ lemma_value_bound_claim F.
Proof.
pose P := mxQ F 6 6 ancestor_P; pose r := colQ F 6 ancestor_r; pose g := ofQ F nine_tenths.
pose x := @Ordinal 6 0 isT; pose y := @Ordinal 6 1 isT.
have zero : series_to (fun m => g ^+ m * (sibling_gap P r m x 0 + sibling_gap P r m y 0) / 2%:R) 0.
  move=> e e0; exists 0%N => m _; rewrite big1 ?subrr ?normr0 ?ltW // => t _.
  by rewrite siblingsQP // !mxE addr0 mulr0 mul0r.
move=> /(_ _ P r g (@paper_chainQP F 6 ancestor_P ancestor_r nine_tenths isT) x y 0 zero).
rewrite (@krope_distQP F 6 _ _ _ ancestor_K) // (@valuesQP F 6 _ _ _ ancestor_q) //.
by rewrite addr0 gapQE leNgt => /negP; apply; apply: ofQ_ltP.
Qed.

(* Each pair x has one successor f(x), no episode ends: C = 0, the gap of independent copies is 0 too,
   and value differences are at most (R/2) d, which is d at R = 2. R is 0 only for equal rewards. *)
Section Deterministic.
Variables (F : realFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (f : 'I_n -> 'I_n).
Hypotheses (g0 : 0 <= g) (g1 : g < 1) (hR : R = 0 -> spread r = 0).
Hypothesis detP : forall x y, P x y = (y == f x)%:R.

Lemma deterministic_sum (h : 'I_n -> F) x : \sum_y P x y * h y = h (f x).
Proof.
rewrite (bigD1 (f x)) //= big1 ?addr0 ?detP ?eqxx ?mul1r // => y /negbTE ne.
by rewrite detP ne mul0r.
Qed.

Lemma deterministic_stochastic : stochastic P.
Proof.
split=> [x y | x]; first by rewrite detP ler0n.
by rewrite -[RHS](deterministic_sum (fun=> 1) x); apply: eq_bigr => y _; rewrite mulr1.
Qed.

Lemma deterministic_sandwich (A : 'M[F]_n) x y : (P *m A *m P^T) x y = A (f x) (f y).
Proof.
rewrite sandwichE -(deterministic_sum (fun k => A k (f y))); apply: eq_bigr => k _.
by rewrite -(deterministic_sum (A k)) mulr_sumr; apply: eq_bigr => l _; rewrite mulrA.
Qed.

Lemma mico_deterministic x : mico P r g x x = 0.
Proof.
have [a _ maxU] := @arg_maxP _ _ _ x xpredT (fun z => `|mico P r g z z|) isT.
have e z : mico P r g z z = g * mico P r g (f z) (f z).
  rewrite {1}(micoP r deterministic_stochastic g0 g1) mxE [X in _ + X]mxE.
  by rewrite deterministic_sandwich mxE subrr normr0 add0r.
apply/eqP; rewrite -normr_le0; apply: le_trans (maxU x isT) _.
have : `|mico P r g a a| <= g * `|mico P r g a a|.
  by rewrite {1}e normrM ger0_norm // ler_wpmul2l //; apply: maxU.
rewrite -subr_ge0 -{2}[`|_|]mul1r -mulrBl nmulr_rge0 // subr_lt0 //.
Qed.

Theorem remark_deterministic :
  (forall m, sibling_gap P r m = 0) /\
  (forall x y, `|values P r g x 0 - values P r g y 0| <= R / 2%:R * krope_dist P r R g x y).
Proof.
split=> [m | x y].
  rewrite /sibling_gap; suff -> : siblings P r = 0.
    by elim: m => //= m ->; rewrite mulmx0.
  apply/colP=> x; have := deterministic_sandwich (reward_gap r) x x.
  rewrite sandwichE [reward_gap r (f x) (f x)]mxE subrr normr0 => e; rewrite [RHS]mxE -[RHS]e mxE.
  by apply: eq_bigr => k _; apply: eq_bigr => l _; rewrite [reward_gap _ _ _]mxE.
apply: le_trans (value_gap_mico r deterministic_stochastic g0 g1 x y) _.
by rewrite (mico_split deterministic_stochastic g0 g1 x y hR) !mico_deterministic !mul0r !addr0.
Qed.
End Deterministic.
