(* LSPE on KROPE representations: the definition on data pairs, Theorem 1, and the remark behind it. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain penrose reward_kernel kernel lspe residual.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* the definition read entry by entry on the pairs x, y of pairs with data:
   phi_x' phi_y = K1(x, y) + gamma E[phi(X')]' E[phi(Y')] *)
Definition krope_representation (F : realFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D : 'rV[F]_n)
    (Phi : 'M[F]_(n, d)) :=
  forall x y, D 0 x != 0 -> D 0 y != 0 ->
    (Phi *m Phi^T) x y = reward_kernel r R x y + g * (P *m Phi *m (P *m Phi)^T) x y.

Section Norm.
Variables (F : realFieldType) (n d : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D : 'rV[F]_n).
Variable Phi : 'M[F]_(n, d).
Hypothesis rep : krope_representation P r R g D Phi.
Let L := lspe_matrix P g D Phi.
Let B := covariance D Phi.
Let W := regression D Phi.

Lemma data_only (E : 'M[F]_n) : (forall x y, D 0 x != 0 -> D 0 y != 0 -> E x y = 0) -> W *m E *m W^T = 0.
Proof.
move=> h; have z : diag_mx D *m E *m diag_mx D = 0.
  apply/matrixP=> x y; rewrite mul_mx_diag mul_diag_mx !mxE.
  have [-> | dx] := eqVneq (D 0 x) 0; first by rewrite mul0r mul0r.
  have [-> | dy] := eqVneq (D 0 y) 0; first by rewrite mulr0.
  by rewrite h // mulr0 mul0r.
have -> : W *m E *m W^T = pinv B *m Phi^T *m (diag_mx D *m E *m diag_mx D) *m (Phi *m pinv B).
  by rewrite /W regression_tr /regression !mulmxA.
by rewrite z mulmx0 mul0mx.
Qed.

(* g I - L L' = g (I - B^+ B) + g W K1 W' *)
Lemma representation_gap :
  g *: 1%:M - L *m L^T = g *: (1%:M - B *m pinv B) + g *: (W *m reward_kernel r R *m W^T).
Proof.
have -> : L *m L^T = g *: (B *m pinv B - W *m (reward_kernel r R + 0) *m W^T).
  apply: lspe_gram; rewrite mulmx0 mul0mx; apply: data_only => x y dx dy.
  have := rep dx dy; move: (Phi *m Phi^T) (P *m Phi *m _) (reward_kernel r R) => A C K1 e.
  by rewrite !mxE e addrAC addrK addrC addNr.
by rewrite addr0 !scalerBr opprB addrA addrAC.
Qed.

Lemma representation_norm : 0 <= g -> spread r <= 2%:R * R -> psd (g *: 1%:M - L *m L^T).
Proof.
move=> g0 hR; rewrite representation_gap; apply: psdD; apply: psdZ => //; last exact/psd_conj/psd_reward_kernel.
have [sQ qq eQ] := pinv_projector (covariance_sym D Phi).
by rewrite /B eQ; apply: projector_below.
Qed.
End Norm.

(* |v|^2 of a column *)
Definition colnorm (F : realFieldType) n (v : 'cV[F]_n) : F := sqnorm v^T.

Section Convergence.
Variables (F : archiFieldType) (d : nat) (L : 'M[F]_d) (b : 'cV[F]_d) (g : F).
Hypotheses (g0 : 0 <= g) (g1 : g < 1) (nL : psd (g *: 1%:M - L *m L^T)).

Lemma colnorm_ge0 n (v : 'cV[F]_n) : 0 <= colnorm v. Proof. exact: sqnorm_ge0. Qed.

Lemma colnorm_mul v : colnorm (L *m v) <= g * colnorm v.
Proof.
have := psd_transpose g0 nL v^T; rewrite formD formN formZ -/(sqnorm _) subr_ge0.
have -> : L^T *m L = L^T *m (L^T)^T by rewrite trmxK.
by rewrite form_gram -trmx_mul.
Qed.

Lemma le_colnorm n (v : 'cV[F]_n) : supnorm v ^+ 2 <= colnorm v.
Proof.
have [-> | [i [j ->]]] := supnorm_attained v; first by rewrite expr0n colnorm_ge0.
rewrite real_normK ?num_real // ord1 /colnorm sqnormE (bigD1 i) //= mxE ler_addl.
by apply: sumr_ge0 => k _; apply: sqr_ge0.
Qed.

Lemma small_sq (a e : F) : 0 < e -> a ^+ 2 <= e ^+ 2 -> a <= e.
Proof.
move=> e0 h; rewrite leNgt; apply/negP=> lt; move: h; rewrite leNgt => /negP; apply.
by rewrite ltr_pexpn2r // nnegrE ltW // (lt_trans e0).
Qed.

Lemma affine_fixed : exists t, t = b + L *m t.
Proof.
have u : 1%:M - L \in unitmx.
  rewrite -row_free_unit -[_ - _]trmxK row_free_unit unitmx_tr -row_free_unit; apply/inj_row_free => v hv.
  have e : L *m v^T = v^T.
    move: hv => /(congr1 trmx); rewrite trmx_mul trmxK trmx0 mulmxBl mul1mx => /eqP.
    by rewrite subr_eq0 => /eqP.
  have := colnorm_mul v^T; rewrite e /colnorm trmxK -subr_ge0 -{2}[sqnorm v]mul1r -mulrBl => h.
  apply: sqnorm_eq0; apply/eqP; rewrite eq_le sqnorm_ge0 andbT leNgt; apply/negP=> vp.
  by move: h; rewrite pmulr_lge0 // subr_ge0 leNgt g1.
exists (invmx (1%:M - L) *m b); have := mulKVmx u b; rewrite mulmxBl mul1mx => e.
by rewrite -{2}e subrK.
Qed.

Lemma affine_error t N x : t = b + L *m t ->
  colnorm (iter N (fun y => b + L *m y) x - t) <= g ^+ N * colnorm (x - t).
Proof.
move=> e; elim: N => [|N IH] /=; first by rewrite expr0 mul1r.
have -> : forall y, b + L *m y - t = L *m (y - t) by move=> y; rewrite {1}e mulmxBr opprD addrACA subrr add0r.
by apply: le_trans (colnorm_mul _) _; rewrite exprS -mulrA ler_wpmul2l.
Qed.

(* from every start the iteration reaches one limit *)
Lemma affine_converges : exists2 t, t = b + L *m t &
  forall x e, 0 < e -> exists N, forall k, (N <= k)%N -> supnorm (iter k (fun y => b + L *m y) x - t) <= e.
Proof.
have [t et] := affine_fixed; exists t => // x e e0.
have [N hN] := geom_small g0 g1 (colnorm (x - t)) (exprn_gt0 2 e0).
exists N => k /hN h; apply: small_sq => //; apply: le_trans (le_colnorm _) _.
exact: le_trans (affine_error _ _ et) h.
Qed.
End Convergence.

(* a KROPE representation makes LSPE stable, whatever the data weights: rho(L) <= norm2(L) <= sqrt(gamma) < 1, and
   from every start the iterates reach one limit *)
Theorem theorem_1 (F : archiFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D : 'rV[F]_n)
    (Phi : 'M[F]_(n, d)) :
  substochastic P -> 0 <= g < 1 -> spread r <= 2%:R * R -> weights D -> krope_representation P r R g D Phi ->
  let L := lspe_matrix P g D Phi in
  [/\ forall v : 'cV[F]_d, colnorm (L *m v) <= g * colnorm v,
      forall a b, complex_eigenvalue L a b -> a ^+ 2 + b ^+ 2 <= g,
      radius_lt L 1
    & exists2 limit, limit = lspe_step P r g D Phi limit &
        forall start e, 0 < e -> exists N, forall t, (N <= t)%N ->
          supnorm (iter t (lspe_step P r g D Phi) start - limit) <= e].
Proof.
move=> _ /andP[g0 g1] hR _ rep L; have nL := representation_norm rep g0 hR.
split.
- exact: colnorm_mul.
- by move=> a b; apply: eigenvalue_bound.
- by move=> a b /(eigenvalue_bound nL) h; rewrite expr1n; apply: le_lt_trans g1.
- exact: (affine_converges _ g0 g1 nL).
Qed.

(* each step of LSPE brings theta closer to its limit, by a factor sqrt(gamma) or less *)
Theorem remark_nonexpansive (F : archiFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D : 'rV[F]_n)
    (Phi : 'M[F]_(n, d)) :
  substochastic P -> 0 <= g < 1 -> spread r <= 2%:R * R -> weights D -> krope_representation P r R g D Phi ->
  forall limit, limit = lspe_step P r g D Phi limit ->
  forall theta, colnorm (lspe_step P r g D Phi theta - limit) <= g * colnorm (theta - limit).
Proof.
move=> _ /andP[g0 g1] hR _ rep limit e theta; have nL := representation_norm rep g0 hR.
by have := affine_error g0 nL 1 theta e; rewrite expr1.
Qed.
