(* Kantorovich duality: the Wasserstein distance under a pseudometric d is the greatest difference of expectations of a
   function whose differences are at most d. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import farkas couplings wasserstein.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Duality.
Variables (R : realFieldType) (n : nat) (d : 'M[R]_n) (mu nu : 'rV[R]_n).
Hypotheses (lmu : law mu) (lnu : law nu).
Let W := wasserstein d mu nu.

(* a plan w as an inequality between unknowns f, h, t: its marginals, and minus its cost *)
Definition plan_row (w : 'M[R]_n) : 'rV[R]_(n + n + 1) :=
  row_mx (row_mx (\row_k \sum_l w k l) (- \row_l \sum_k w k l)) ((- cost w d)%:M : 'M_1).

Lemma plan_row_linear : linear (fun u : 'rV[R]_(n * n) => plan_row (vec_mx u)).
Proof.
move=> c u v; rewrite linearP /=; set x := vec_mx u; set y := vec_mx v.
rewrite /plan_row scale_row_mx scale_row_mx add_row_mx add_row_mx; congr (row_mx (row_mx _ _) _).
- apply/rowP=> k; rewrite !mxE mulr_sumr -big_split; apply: eq_bigr => l _ /=; by rewrite !mxE.
- apply/rowP=> l; rewrite !mxE mulrN -opprD mulr_sumr -big_split; congr (- _).
  by apply: eq_bigr => k _ /=; rewrite !mxE.
rewrite scale_scalar_mx -raddfD; congr _%:M; rewrite mulrN -opprD; congr (- _).
rewrite /cost mulr_sumr -big_split; apply: eq_bigr => k _ /=; rewrite mulr_sumr -big_split.
by apply: eq_bigr => l _ /=; rewrite !mxE mulrDl mulrA.
Qed.

Let plans : 'M[R]_(n * n, n + n + 1) := lin1_mx (Linear plan_row_linear).
Let goal_row : 'rV[R]_(n + n + 1) := row_mx (row_mx (- mu) nu) (W%:M : 'M_1).

Lemma plan_delta k l (f h : 'cV[R]_n) (t : 'M[R]_1) :
  (plan_row (delta_mx k l) *m col_mx (col_mx f h) t) 0 0 = f k 0 - h l 0 - d k l * t 0 0.
Proof.
have e1 : (\row_i \sum_j (delta_mx k l : 'M[R]_n) i j) = delta_mx 0 k.
  apply/rowP=> i; rewrite !mxE eqxx /= (bigD1 l) //= big1 => [|j jl]; rewrite mxE ?eqxx ?andbT ?addr0 //.
  by rewrite (negbTE jl) andbF.
have e2 : (\row_j \sum_i (delta_mx k l : 'M[R]_n) i j) = delta_mx 0 l.
  apply/rowP=> j; rewrite !mxE eqxx /= (bigD1 k) //= big1 => [|i ik]; rewrite mxE ?eqxx ?addr0 //.
  by rewrite (negbTE ik).
have e3 : cost (delta_mx k l) d = d k l.
  rewrite /cost (bigD1 k) //= (bigD1 l) //= !mxE !eqxx mul1r !big1 ?addr0 // => [i ik | j jl].
    by rewrite big1 // => j _; rewrite mxE (negbTE ik) mul0r.
  by rewrite mxE (negbTE jl) andbF mul0r.
rewrite /plan_row e1 e2 e3 !mul_row_col mulNmx -!rowE mul_scalar_mx.
by rewrite !mxE mulNr.
Qed.

(* potentials: a pair of functions whose differences are below the cost and whose expectations differ by W *)
Theorem potentials : exists f h : 'cV[R]_n,
  (forall k l, f k 0 - h l 0 <= d k l) /\ W <= (mu *m f) 0 0 - (nu *m h) 0 0.
Proof.
have [[w w0 eA] | [x Ax bx]] := farkas (col_mx plans goal_row) (row_mx 0 (1%:M : 'M_1)).
  exfalso; move: w0 eA; rewrite -[w]hsubmxK; move: (lsubmx w) (rsubmx w) => {w} lam c w0.
  have lam0 i : 0 <= lam 0 i by have := w0 (lshift 1 i); rewrite row_mxEl.
  have c0 : 0 <= c 0 0 by have := w0 (rshift (n * n) 0); rewrite row_mxEr.
  rewrite mul_row_col mul_rV_lin1 /= [c]mx11_scalar mul_scalar_mx; move: (c 0 0) c0 => {w0}{}c c0.
  rewrite /plan_row /goal_row !scale_row_mx !add_row_mx -[0 in RHS]row_mx0 => /eq_row_mx[/eq_row_mx[er ec] et].
  pose Lam := vec_mx lam; have L0 k l : 0 <= Lam k l by rewrite mxE.
  have rows k : \sum_l Lam k l = c * mu 0 k.
    by move/rowP/(_ k): er; rewrite !mxE mulrN => /eqP; rewrite subr_eq0 => /eqP.
  have cols l : \sum_k Lam k l = c * nu 0 l.
    by move/rowP/(_ l): ec; rewrite !mxE addrC => /eqP; rewrite subr_eq0 => /eqP.
  have gap : cost Lam d = c * W - 1.
    move/matrixP/(_ 0 0): et; rewrite !mxE eqxx !mulr1n => <-.
    by rewrite opprD opprK addrCA subrr addr0.
  have [cz | cn] := eqVneq c 0.
    have Lz k l : Lam k l = 0.
      have rk : \sum_m Lam k m = 0 by rewrite rows cz mul0r.
      exact: (psumr_eq0P (fun m _ => L0 k m) rk).
    move: gap; rewrite cz mul0r /cost big1 => [/eqP|k _]; last by rewrite big1 // => l _; rewrite Lz mul0r.
    by rewrite sub0r eq_sym oppr_eq0 oner_eq0.
  have cp : 0 < c by rewrite lt_neqAle eq_sym cn.
  have cpl : coupling mu nu (c^-1 *: Lam).
    split=> [k l | k | l]; first by rewrite mxE mulr_ge0 ?invr_ge0.
      by under eq_bigr do rewrite mxE; rewrite -mulr_sumr rows mulKf.
    by under eq_bigr do rewrite mxE; rewrite -mulr_sumr cols mulKf.
  have := wasserstein_le d cpl; rewrite -/W.
  have -> : cost (c^-1 *: Lam) d = c^-1 * cost Lam d.
    rewrite /cost mulr_sumr; apply: eq_bigr => k _; rewrite mulr_sumr.
    by apply: eq_bigr => l _; rewrite mxE mulrA.
  by rewrite gap mulrBr mulKf // mulr1 ler_subr_addr ger_addl invr_le0 leNgt cp.
move: Ax bx; rewrite -[x]vsubmxK -[usubmx x]vsubmxK; move: (usubmx (usubmx x)) (dsubmx (usubmx x)) (dsubmx x).
move=> f h t {x} Ax; rewrite mul_row_col mul0mx add0r mul1mx => t0.
pose s := t 0 0; exists (s^-1 *: f), (s^-1 *: h).
have sp : 0 < s by []; split=> [k l |].
  have := Ax (lshift 1 (mxvec_index k l)); rewrite mul_col_mx col_mxEu.
  have -> : (plans *m col_mx (col_mx f h) t) (mxvec_index k l) 0 = f k 0 - h l 0 - d k l * s.
    have -> : (plans *m col_mx (col_mx f h) t) (mxvec_index k l) 0
        = (row (mxvec_index k l) plans *m col_mx (col_mx f h) t) 0 0 by rewrite -row_mul [RHS]mxE.
    by rewrite rowE mul_rV_lin1 /= vec_mx_delta plan_delta.
  by rewrite subr_le0 !mxE -mulrBr ler_pdivr_mull // mulrC.
have := Ax (rshift (n * n) 0); rewrite mul_col_mx col_mxEd.
rewrite /goal_row !mul_row_col mulNmx mul_scalar_mx -!scalemxAr !mxE -/s => le0.
rewrite -mulrBr -ler_pdivr_mull ?invr_gt0 // invrK -subr_le0; move: le0.
move: (\sum_j mu 0 j * f j 0) (\sum_j nu 0 j * h j 0) => a b; congr (_ <= 0).
by rewrite opprB addrC; congr (_ + _); rewrite 1?mulrC 1?addrC.
Qed.

(* the same with one function, if d is a pseudometric *)
Theorem wasserstein_duality : pseudometric d ->
  (forall f : 'cV[R]_n, (forall x y, f x 0 - f y 0 <= d x y) -> (mu *m f) 0 0 - (nu *m f) 0 0 <= W) /\
  (exists2 f : 'cV[R]_n, (forall x y, f x 0 - f y 0 <= d x y) & (mu *m f) 0 0 - (nu *m f) 0 0 = W).
Proof.
case=> d0 ds dt; have weak (f : 'cV[R]_n) : (forall x y, f x 0 - f y 0 <= d x y) -> (mu *m f) 0 0 - (nu *m f) 0 0 <= W.
  by move=> fd; rewrite -[X in _ <= X]addr0; apply: wasserstein_dual => // x y; rewrite addr0.
split=> //; have [f [h [fh Wle]]] := potentials.
pose near x := [arg min_(l < x) (d x l + h l 0)]%O; pose p : 'cV[R]_n := \col_x (d x (near x) + h (near x) 0).
have pmin x l : p x 0 <= d x l + h l 0 by rewrite mxE /near; case: arg_minP => // k _; apply.
have lip x y : p x 0 - p y 0 <= d x y.
  rewrite ler_subl_addl; apply: le_trans (pmin x (near y)) _.
  by rewrite [p y 0]mxE addrAC ler_add2r addrC.
exists p => //; apply/eqP; rewrite eq_le weak //=; apply: le_trans Wle _; apply: ler_sub; rewrite !mxE.
  apply: ler_sum => k _; apply: ler_wpmul2l; first exact: lmu.1.
  by rewrite mxE -ler_subl_addr.
apply: ler_sum => l _; apply: ler_wpmul2l; first exact: lnu.1.
by apply: le_trans (pmin l l) _; rewrite d0 add0r.
Qed.
End Duality.
