(* Realizable and stable features: LSPE recovers q if the covariance is invertible, and may miss it otherwise. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain penrose lspe full_rank rational witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Tables.
Local Open Scope Q_scope.
(* one state, two actions, the policy takes the first; reward and data on that pair only *)
Definition untaken_P : seq (seq Q) := [:: [:: 1; 0]; [:: 1; 0]].
Definition untaken_r : seq Q := [:: 1; 0].
End Tables.

Section Untaken.
Variable F : archiFieldType.
Let P := mxQ F 2 2 untaken_P.
Let r := colQ F 2 untaken_r.
Let D := rowQ F 2 untaken_r.
Let g := ofQ F (Qmake 9 10).
Let gE : g = 9%:R / 10%:R.
Proof. by rewrite /g -(ofQ_nat F 9) -(ofQ_nat F 10) -ofQ_div; apply: ofQ_eqP. Qed.
Let g0 : 0 <= g.
Proof. by rewrite gE divr_ge0 ?ler0n. Qed.
Let g1 : g < 1.
Proof. by rewrite gE ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat. Qed.

Lemma untaken_weights i : D 0 i = (i == 0)%:R.
Proof. by rewrite mxE; case: i => [[|[|//]]] ? /=; rewrite /item /= ?ofQ1 ?ofQ0. Qed.

Lemma untaken_rewards i : r i 0 = (i == 0)%:R.
Proof. by rewrite mxE; case: i => [[|[|//]]] ? /=; rewrite /item /= ?ofQ1 ?ofQ0. Qed.

Lemma untaken_entry i j : P i j = (j == 0)%:R.
Proof.
by rewrite mxE; case: i => [[|[|//]]] ?; case: j => [[|[|//]]] ? /=; rewrite /entry /= ?ofQ1 ?ofQ0.
Qed.

Lemma untaken_next (f : 'cV[F]_2) i : (P *m f) i 0 = f 0 0.
Proof.
rewrite mxE 2!big_ord_recl big_ord0 !mxE.
by case: i => [[|[|//]]] ? /=; rewrite /entry /= ofQ1 ofQ0 mul1r mul0r !addr0.
Qed.

Lemma untaken_twice : diag_mx D *m diag_mx D = diag_mx D.
Proof.
rewrite mulmx_diag; congr diag_mx; apply/rowP=> i; rewrite mxE untaken_weights.
by case: (i == 0); rewrite ?mulr0 ?mulr1.
Qed.

Lemma untaken_pinv : pinv (covariance D 1%:M) = diag_mx D.
Proof.
rewrite /covariance trmx1 mul1mx mulmx1; apply: pinv_eq.
by split; rewrite ?untaken_twice ?tr_diag_mx.
Qed.

Lemma untaken_lspe : lspe_matrix P g D 1%:M = g *: (diag_mx D *m P).
Proof. by rewrite /lspe_matrix /regression untaken_pinv trmx1 !mulmx1 untaken_twice. Qed.

Lemma untaken_step theta : lspe_step P r g D 1%:M theta = \col_i ((i == 0)%:R * (1 + g * theta 0 0)).
Proof.
rewrite /lspe_step untaken_lspe /lspe_offset /regression untaken_pinv trmx1 mulmx1 untaken_twice.
have dE (A : 'cV[F]_2) i : (diag_mx D *m A) i 0 = D 0 i * A i 0 by rewrite mul_diag_mx mxE.
rewrite -scalemxAl -mulmxA; apply/colP=> i; rewrite mxE [X in _ + X]mxE !dE [RHS]mxE.
by rewrite untaken_next untaken_weights untaken_rewards; case: (i == 0) => /=; ring.
Qed.

Lemma untaken_values : values P r g = \col_i (if i == 0 then 10%:R else 9%:R).
Proof.
have stoP : stochastic P by apply: stochasticQP.
symmetry; apply: (values_unique (stochastic_sub stoP) g0 g1); apply/colP=> i.
rewrite /bellman mxE [RHS]mxE [X in _ + X]mxE untaken_next untaken_rewards mxE /= gE.
by case: (i == 0) => /=; field.
Qed.

Lemma untaken_radius : radius_lt (lspe_matrix P g D 1%:M) 1.
Proof.
move=> a b [u [w [uw eu ew]]]; rewrite untaken_lspe in eu ew; rewrite expr1n.
have act (v : 'rV[F]_2) : v *m (g *: (diag_mx D *m P)) = \row_j (g * v 0 0 * (j == 0)%:R).
  rewrite -scalemxAr mulmxA; apply/rowP=> j; rewrite mxE [RHS]mxE -mulrA; congr (_ * _).
  rewrite mul_mx_diag mxE (bigD1 0) //= big1 => [|k k0]; last first.
    by rewrite mxE untaken_weights (negbTE k0) mulr0 mul0r.
  by rewrite addr0 mxE untaken_weights mulr1 untaken_entry.
have [eu0 ew0] : g * u 0 0 = a * u 0 0 - b * w 0 0 /\ g * w 0 0 = a * w 0 0 + b * u 0 0.
  move: eu ew; rewrite !act => /rowP/(_ 0) + /rowP/(_ 0); rewrite !mxE /= !mulr1; by split.
have [eu1 ew1] : 0 = a * u 0 1 - b * w 0 1 /\ 0 = a * w 0 1 + b * u 0 1.
  move: eu ew; rewrite !act => /rowP/(_ 1) + /rowP/(_ 1); rewrite !mxE /= !mulr0; by split.
have h0 : (a ^+ 2 + b ^+ 2) * (u 0 0 ^+ 2 + w 0 0 ^+ 2) = g ^+ 2 * (u 0 0 ^+ 2 + w 0 0 ^+ 2).
  have -> : g ^+ 2 * (u 0 0 ^+ 2 + w 0 0 ^+ 2) = (g * u 0 0) ^+ 2 + (g * w 0 0) ^+ 2 by ring.
  by rewrite eu0 ew0; ring.
have h1 : (a ^+ 2 + b ^+ 2) * (u 0 1 ^+ 2 + w 0 1 ^+ 2) = 0.
  have -> : (a ^+ 2 + b ^+ 2) * (u 0 1 ^+ 2 + w 0 1 ^+ 2)
    = (a * u 0 1 - b * w 0 1) ^+ 2 + (a * w 0 1 + b * u 0 1) ^+ 2 by ring.
  by rewrite -eu1 -ew1 expr0n addr0.
have gg : g ^+ 2 < 1 by rewrite expr_lt1.
have [z0 | z0] := eqVneq (u 0 0 ^+ 2 + w 0 0 ^+ 2) 0; last first.
  by rewrite (mulIf z0 h0).
have [z1 | z1] := eqVneq (u 0 1 ^+ 2 + w 0 1 ^+ 2) 0; last first.
  by move/eqP: h1; rewrite mulf_eq0 (negbTE z1) orbF => /eqP ->; apply: ltr01.
move/eqP: z0; move/eqP: z1; rewrite !paddr_eq0 ?sqr_ge0 // !sqrf_eq0.
move=> /andP[/eqP u1 /eqP w1] /andP[/eqP u00 /eqP w00]; case/negP: (negbT (erefl false)).
suff : (u == 0) && (w == 0) by move: uw; case: (u == 0) (w == 0) => [] [].
have z (v : 'rV[F]_2) : v 0 0 = 0 -> v 0 1 = 0 -> v == 0.
  move=> v0 v1; apply/eqP/rowP=> j; rewrite [RHS]mxE.
  by case: j => [[|[|//]]] h; [rewrite -[RHS]v0 | rewrite -[RHS]v1]; congr (v 0 _); apply: val_inj.
by rewrite !z.
Qed.

Lemma untaken_fixed :
  lspe_step P r g D 1%:M (\col_i ((i == 0)%:R * 10%:R)) = \col_i ((i == 0)%:R * 10%:R).
Proof. by rewrite untaken_step; apply/colP=> i; rewrite !mxE /= gE; field. Qed.

Lemma untaken_limit : lspe_limit P r g D 1%:M (\col_i ((i == 0)%:R * 10%:R)).
Proof.
set limit := \col_i _; move=> start e e0.
have [N hN] := geom_small g0 g1 `|start 0 0 - 10%:R| e0.
have it t : iter t.+1 (lspe_step P r g D 1%:M) start
    = \col_i ((i == 0)%:R * (10%:R + g ^+ t.+1 * (start 0 0 - 10%:R))).
  elim: t => [|t IH]; rewrite iterS.
    rewrite /= untaken_step; apply/colP=> i; rewrite !mxE expr1 gE.
    by move: (start 0 0) => s; field.
  rewrite IH untaken_step; apply/colP=> i; rewrite !mxE /= !exprS gE.
  by move: (start 0 0) (_ ^+ t) => s p; field.
exists N.+1 => -[//|t]; rewrite ltnS => /leqW/hN h; rewrite it.
apply: le_trans h; apply: supnorm_le => [|i j]; first by rewrite mulr_ge0 ?exprn_ge0.
rewrite !mxE -mulrBr addrAC subrr add0r !normrM [`|g ^+ _|]ger0_norm ?exprn_ge0 //.
by rewrite ler_pimull ?mulr_ge0 ?exprn_ge0 //; case: (i == 0); rewrite ?normr1 ?normr0 // ler01.
Qed.
End Untaken.

Lemma realizable_recovered (F : realFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n)
    (Phi : 'M[F]_(n, d)) limit :
  substochastic P -> 0 <= g -> g < 1 -> covariance D Phi \in unitmx ->
  (exists w, Phi *m w = values P r g) -> lspe_limit P r g D Phi limit -> Phi *m limit = values P r g.
Proof.
move=> sP g0 g1 uB [w ew] h; rewrite -ew; congr (_ *m _); apply: lspe_limit_fixed h.
rewrite /lspe_step /lspe_offset /lspe_matrix -scalemxAl -(mulmxA _ Phi) ew -(mulmxA _ P) scalemxAr -mulmxDr.
have := values_fixed r sP g0 g1; rewrite /bellman => <-.
by rewrite -ew mulmxA regression_Phi pinv_unit // mulVmx // mul1mx.
Qed.

(* Realizable and stable features need not make LSPE recover q: it happens, off the data. With an
   invertible covariance it does not. D is a distribution; the untaken action is all that it misses. *)
Theorem remark_realizable_not_enough (F : archiFieldType) :
  (exists n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)),
     [/\ stochastic P, 0 <= g < 1, weights D /\ \sum_x D 0 x = 1, exists w, Phi *m w = values P r g
       & [/\ radius_lt (lspe_matrix P g D Phi) 1, lspe_stable P r g D Phi
           & forall limit, lspe_limit P r g D Phi limit -> Phi *m limit != values P r g]]) /\
  (forall n d (P : 'M[F]_n) (r : 'cV[F]_n) (g : F) (D : 'rV[F]_n) (Phi : 'M[F]_(n, d)) limit,
     substochastic P -> 0 <= g < 1 -> covariance D Phi \in unitmx ->
     (exists w, Phi *m w = values P r g) -> lspe_limit P r g D Phi limit -> Phi *m limit = values P r g).
Proof.
split; last by move=> n d P r g D Phi limit sP /andP[g0 g1]; apply: realizable_recovered.
exists 2%N, 2%N, (mxQ F 2 2 untaken_P), (colQ F 2 untaken_r), (ofQ F (Qmake 9 10)), (rowQ F 2 untaken_r).
exists 1%:M; split; [exact: stochasticQP | exact: discountQP | | |].
- split; first by move=> x; rewrite untaken_weights ler0n.
  by rewrite 2!big_ord_recl big_ord0 !untaken_weights /= addr0 addr0.
- by eexists; rewrite mul1mx.
split; first exact: untaken_radius.
  by eexists; apply: untaken_limit.
move=> limit h; rewrite mul1mx untaken_values.
rewrite (lspe_limit_fixed (esym (untaken_fixed F)) h).
by apply/eqP=> /colP/(_ 1)/eqP; rewrite !mxE /= mul0r eq_sym pnatr_eq0.
Qed.
