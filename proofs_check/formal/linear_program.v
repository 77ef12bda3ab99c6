(* Linear programs over any real field: minimize w c over the rows w >= 0 with w A = b.
   If no ray w >= 0, w A = 0 but w = 0 exists, the minimum is attained at one of finitely many
   rows, the same ones for every c: the vertices, one candidate for each set of coordinates. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Vertices.
Variables (R : realFieldType) (N m : nat) (A : 'M[R]_(N, m)) (b : 'rV[R]_m).

Definition feasible (w : 'rV[R]_N) := (w *m A == b) && [forall i, 0 <= w 0 i].
Hypothesis no_ray : forall z : 'rV[R]_N, z *m A = 0 -> (forall i, 0 <= z 0 i) -> z = 0.

(* z A = 0 and z = 0 off J, as one linear system *)
Definition restricted (J : {set 'I_N}) : 'M[R]_(N, m + N) :=
  row_mx A (diag_mx (\row_i (i \notin J)%:R)).
(* the only solution of w A = b, w = 0 off J, if the rows of A in J are independent *)
Definition vertex (J : {set 'I_N}) : 'rV[R]_N := row_mx b 0 *m pinvmx (restricted J).

Lemma feasibleP w : reflect (w *m A = b /\ forall i, 0 <= w 0 i) (feasible w).
Proof. by apply: (iffP andP) => -[/eqP e /forallP h]. Qed.

Lemma off_support (J : {set 'I_N}) (z : 'rV[R]_N) :
  z *m diag_mx (\row_i (i \notin J)%:R) = 0 <-> (forall i, i \notin J -> z 0 i = 0).
Proof.
split=> [/rowP e i iJ | e].
  by have := e i; rewrite mul_mx_diag !mxE iJ mulr1.
apply/rowP=> i; rewrite mul_mx_diag !mxE; case: (boolP (i \in J)) => [_ | /e ->]; rewrite ?mulr0 ?mul0r //.
Qed.

Definition support (w : 'rV[R]_N) : {set 'I_N} := [set i | w 0 i != 0].

Lemma vertex_unique w : feasible w -> row_free (restricted (support w)) -> w = vertex (support w).
Proof.
case/feasibleP=> e _ free; rewrite /vertex.
have <- : w *m restricted (support w) = row_mx b 0.
  rewrite mul_mx_row e; congr row_mx; apply/off_support => i.
  by rewrite inE negbK => /eqP.
by rewrite -mulmxA mulmxVp // mulmx1.
Qed.

(* one step towards a vertex: along z until a first coordinate vanishes *)
Lemma pivot (c : 'cV[R]_N) w : feasible w -> ~~ row_free (restricted (support w)) ->
  exists w', [/\ feasible w', (#|support w'| < #|support w|)%N & (w' *m c) 0 0 <= (w *m c) 0 0].
Proof.
move=> fw; rewrite -kermx_eq0 => /rowV0Pn[z0 /sub_kermxP]; rewrite mul_mx_row -row_mx0.
case/eq_row_mx=> z0A /off_support z0J z0n.
have [z [zA zJ zn zc]] : exists z : 'rV[R]_N, [/\ z *m A = 0,
    (forall i, i \notin support w -> z 0 i = 0), z != 0 & (z *m c) 0 0 <= 0].
  case: (leP ((z0 *m c) 0 0) 0) => h; first by exists z0.
  exists (- z0); rewrite !mulNmx z0A oppr0 oppr_eq0; split=> // [i iJ|].
    by rewrite mxE z0J ?oppr0.
  by rewrite mxE oppr_le0 ltW.
have [i0 neg0] : exists i, z 0 i < 0.
  apply/existsP; apply: contraR zn; rewrite negb_exists => /forallP h.
  by apply/eqP/no_ray => // i; rewrite leNgt.
have [i neg mini] := @arg_minP _ _ _ i0 (fun i => z 0 i < 0) (fun i => w 0 i / - z 0 i) neg0.
case/feasibleP: (fw) => wA w0; pose t := w 0 i / - z 0 i.
have t0 : 0 <= t by rewrite divr_ge0 // oppr_ge0 ltW.
exists (w + t *: z); split.
- apply/feasibleP; split=> [|j]; first by rewrite mulmxDl -scalemxAl zA scaler0 addr0.
  rewrite !mxE; case: (leP 0 (z 0 j)) => [zj | zj]; first by rewrite addr_ge0 // mulr_ge0.
  have := mini j zj; rewrite -/t ler_pdivl_mulr ?oppr_gt0 // mulrN => h.
  by rewrite -[t * _]opprK subr_ge0.
- apply/proper_card/properP; split; last first.
    exists i; rewrite inE; first by apply: contraTneq neg => /eqP wi; rewrite zJ ?ltxx // inE negbK.
    have -> : (w + t *: z) 0 i = w 0 i - w 0 i / z 0 i * z 0 i by rewrite !mxE /t invrN mulrN mulNr.
    by rewrite divfK ?subrr ?eqxx ?ltr0_neq0.
  apply/subsetP=> j; rewrite !inE !mxE; apply: contraNN => /eqP wj.
  by rewrite zJ ?inE ?wj ?eqxx // mulr0 addr0.
- have -> : ((w + t *: z) *m c) 0 0 = (w *m c) 0 0 + t * (z *m c) 0 0.
    by rewrite mulmxDl -scalemxAl [LHS]mxE; congr (_ + _); rewrite [LHS]mxE.
  by rewrite ger_addl mulr_ge0_le0.
Qed.

Theorem vertex_below (c : 'cV[R]_N) w : feasible w ->
  exists J, feasible (vertex J) /\ (vertex J *m c) 0 0 <= (w *m c) 0 0.
Proof.
have [k] := ubnP #|support w|; elim: k w => // k IH w; rewrite ltnS => wk fw.
have [free | dep] := boolP (row_free (restricted (support w))).
  by exists (support w); rewrite -vertex_unique.
have [w' [fw' less below]] := pivot c fw dep.
have [J [fJ hJ]] := IH w' (leq_trans less wk) fw'.
by exists J; split; rewrite // (le_trans hJ).
Qed.
End Vertices.
