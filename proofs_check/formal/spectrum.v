(* LSPE on KROPE features exactly: its spectral radius, its limit, and completeness of their span. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain penrose reward_kernel kernel lspe stability invariant eigen_columns.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma kernel_representation (F : realFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (D : 'rV[F]_n)
    (Phi : 'M[F]_(n, d)) :
  substochastic P -> 0 <= g -> g < 1 -> Phi *m Phi^T = krope_kernel P r R g -> krope_representation P r R g D Phi.
Proof.
move=> sP g0 g1 eK x y _ _; rewrite eK {1}krope_kernelP // -eK /krope_op mxE.
by congr (_ + _); rewrite mxE trmx_mul !mulmxA.
Qed.

Lemma constant_reward_function (F : realFieldType) n (r : 'cV[F]_n) c : reward_function r (const_mx c).
Proof. by move=> x y _; rewrite !mxE. Qed.

(* gamma > 0, no episode ends, B invertible. The range of K is the smallest invariant subspace that contains every
   function of the reward; P Phi = Phi M and L = gamma M; rho(L) = gamma exactly; the limit of LSPE is q itself *)
Theorem sharp_spectral (F : archiFieldType) n d (P : 'M[F]_n.+1) (r : 'cV[F]_n.+1) (R g : F) (D : 'rV[F]_n.+1)
    (Phi : 'M[F]_(n.+1, d)) :
  stochastic P -> 0 < g < 1 -> 0 <= R -> proper_range r R -> weights D ->
  Phi *m Phi^T = krope_kernel P r R g -> covariance D Phi \in unitmx ->
  let K := krope_kernel P r R g in let L := lspe_matrix P g D Phi in
  [/\ [/\ exists M, P *m K = K *m M,
          forall f, reward_function r f -> exists c, f = K *m c
        & forall m (V : 'M[F]_(n.+1, m)), (exists M, P *m V = V *m M) ->
            (forall f, reward_function r f -> exists c, f = V *m c) -> exists C, K = V *m C],
      exists2 M, P *m Phi = Phi *m M & L = g *: M,
      radius_le L g /\ complex_eigenvalue L g 0
    & (exists limit, limit = lspe_step P r g D Phi limit)
      /\ forall limit, limit = lspe_step P r g D Phi limit -> Phi *m limit = values P r g].
Proof.
move=> stP /andP[gp g1] R0 pR wD eK uB K L; have g0 := ltW gp.
have sP := stochastic_sub stP; have hR := proper_range_ge R0 pR.
have WPhi : regression D Phi *m Phi = 1%:M by rewrite regression_Phi pinv_unit // mulVmx.
have [M eM] := features_invariant sP g0 g1 hR eK gp.
have eL : L = g *: M by rewrite /L /lspe_matrix -mulmxA eM mulmxA WPhi mul1mx.
have inj (v : 'cV[F]_d) : v != 0 -> Phi *m v != 0.
  apply: contra => /eqP e; rewrite -[v]mul1mx -WPhi -mulmxA e mulmx0 //.
split.
- split; first exact: (kernel_invariant sP g0 g1 hR gp).
    by move=> f; apply: (kernel_reward_function sP g0 g1 hR).
  by move=> m V; apply: (kernel_smallest sP g0 g1 hR).
- by exists M.
- split=> [a b /eigenvalue_columns[x [y [nz ex ey]]]|].
    have gn : g != 0 by rewrite gt_eqF.
    have MP v : Phi *m (L *m v) = g *: (P *m (Phi *m v)).
      by rewrite eL -scalemxAl -scalemxAr !mulmxA -eM.
    have h : (a / g) ^+ 2 + (b / g) ^+ 2 <= 1.
      apply: (substochastic_eigenvalue sP (x := Phi *m x) (y := Phi *m y)).
      + by case/orP: nz => /inj ->; rewrite ?orbT.
      + apply: (scalerI gn); rewrite -MP ex mulmxDr -!scalemxAr scalerDr !scalerA.
        by rewrite !(mulrC g) !divfK.
      + apply: (scalerI gn); rewrite -MP ey mulmxBr -!scalemxAr scalerBr !scalerA.
        by rewrite !(mulrC g) !divfK.
    rewrite -[g ^+ 2]mul1r -ler_pdivr_mulr ?exprn_gt0 //; apply: le_trans h.
    by rewrite mulrDl !expr_div_n.
  have [w ew] := features_reward_function sP g0 g1 hR eK pR (@constant_reward_function F n.+1 r 1).
  apply/eigenvalue_columns; exists w, 0; split.
  + rewrite orbC eqxx /=; apply/negP=> /eqP w0; move: ew; rewrite w0 mulmx0 => /matrixP/(_ 0 0)/eqP.
    by rewrite !mxE oner_eq0.
  + rewrite scaler0 addr0 /L /lspe_matrix -scalemxAl; congr (_ *: _).
    move: (regression D Phi) WPhi => W WPhi.
    by rewrite -!mulmxA -ew stochastic_one // ew mulmxA WPhi mul1mx.
  + by rewrite mulmx0 scaler0 scale0r subr0.
have nL := representation_norm (kernel_representation (D := D) sP g0 g1 eK) g0 hR.
split; first by have [t et] := affine_fixed (lspe_offset r D Phi) g0 g1 nL; exists t.
move=> t et; apply: values_unique => //.
have [c ec] : exists c, r = Phi *m c.
  by apply: (features_reward_function sP g0 g1 hR eK pR) => x y.
rewrite {1}et /lspe_step mulmxDr /lspe_offset /bellman; congr (_ + _).
  by rewrite ec (mulmxA _ Phi) WPhi mul1mx.
by rewrite -/L eL -scalemxAl -scalemxAr mulmxA -eM mulmxA.
Qed.

(* the span of KROPE features is Bellman complete as a linear class, with no assumption on rewards; it lies in the
   piecewise-constant class of the groups c (distance zero), and equals it iff rank(K) is the number of groups m *)
Theorem linear_completeness (F : archiFieldType) n d (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) (Phi : 'M[F]_(n, d)) :
  substochastic P -> 0 <= g < 1 -> 0 <= R -> proper_range r R ->
  Phi *m Phi^T = krope_kernel P r R g ->
  (forall w : 'cV[F]_d, exists w', bellman P r g (Phi *m w) = Phi *m w')
  /\ forall m (c : 'I_n -> 'I_m), (forall k, exists x, c x = k) ->
     (forall x y, c x = c y <-> krope_dist P r R g x y = 0) ->
     (forall (w : 'cV[F]_d) x y, c x = c y -> (Phi *m w) x 0 = (Phi *m w) y 0)
     /\ ((forall f : 'cV[F]_n, (forall x y, c x = c y -> f x 0 = f y 0) -> exists w, f = Phi *m w)
         <-> \rank (krope_kernel P r R g) = m).
Proof.
move=> sP /andP[g0 g1] R0 pR eK; have hR := proper_range_ge R0 pR; set K := krope_kernel P r R g.
have sK : K^T = K := krope_kernel_sym _ _ sP g0 g1.
split=> [w | m c onto hc].
  have [b eb] : exists b, r = Phi *m b.
    by apply: (features_reward_function sP g0 g1 hR eK pR) => x y.
  have [z | gn] := eqVneq g 0; first by exists b; rewrite /bellman z scale0r addr0.
  have gp : 0 < g by rewrite lt_neqAle eq_sym gn.
  have [M eM] := features_invariant sP g0 g1 hR eK gp.
  by exists (b + g *: (M *m w)); rewrite mulmxDr -scalemxAr /bellman {1}eb !mulmxA eM.
have same x y : c x = c y -> row x Phi = row y Phi.
  move/hc; rewrite /krope_dist -distE // -eK form_gram => /sqnorm_eq0; rewrite mulmxBl -!rowE => /eqP.
  by rewrite subr_eq0 => /eqP.
have flat (w : 'cV[F]_d) x y : c x = c y -> (Phi *m w) x 0 = (Phi *m w) y 0.
  move=> e; have := congr1 (fun A => (A *m w) 0 0) (same x y e).
  by rewrite /= -!row_mul !mxE.
split=> //; pose E : 'M[F]_(n, m) := \matrix_(x, k) (c x == k)%:R.
have rE : \rank E = m.
  apply/eqP; rewrite -mxrank_tr -/(row_free _); apply/inj_row_free => v e; apply/rowP=> k; rewrite [RHS]mxE.
  have [x ck] := onto k; have /rowP/(_ x) := e; rewrite !mxE (bigD1 k) //= !mxE ck eqxx mulr1.
  by rewrite big1 ?addr0 // => j ne; rewrite !mxE ck eq_sym (negbTE ne) mulr0.
have [C eC] : exists C, K = E *m C.
  apply: span_by_null => v vE; suff : v *m Phi = 0 by rewrite /K -eK mulmxA => ->; rewrite mul0mx.
  apply/rowP=> i; rewrite mxE [RHS]mxE (partition_big c xpredT) //=; apply: big1 => k _.
  have [x ck] := onto k; rewrite (eq_bigr (fun y => v 0 y * Phi x i)) => [|y /eqP cy]; last first.
    by have /rowP/(_ i) := same y x (etrans cy (esym ck)); rewrite !mxE => ->.
  suff -> : \sum_(y | c y == k) v 0 y * Phi x i = (v *m E) 0 k * Phi x i by rewrite vE mxE mul0r.
  rewrite mxE -mulr_suml; congr (_ * _); rewrite big_mkcond /=; apply: eq_bigr => y _.
  by rewrite mxE; case: eqP; rewrite ?mulr1 ?mulr0.
split=> [all | rk].
  apply/eqP; rewrite eqn_leq; apply/andP; split.
    by rewrite eC; apply: leq_trans (mxrankM_maxl _ _) _; rewrite rE.
  have [A eA] : exists A, E = K *m A.
    apply: span_by_null => v /(features_null eK) vPhi; apply/rowP=> k; rewrite [RHS]mxE.
    have [w ew] : exists w, col k E = Phi *m w by apply: all => x y e; rewrite !mxE e.
    have := congr1 (fun A => (v *m A) 0 0) ew; rewrite /= mulmxA vPhi mul0mx [X in _ = X]mxE => <-.
    by rewrite !mxE; apply: eq_bigr => x _; rewrite !mxE.
  by rewrite -{1}rE eA mxrankM_maxl.
move=> f hf; apply: span_by_null => v /(features_null eK) vK.
have vE : v *m E = 0.
  have : (E^T <= K^T)%MS.
    rewrite -(geq_leqif (mxrank_leqif_sup _)); last by rewrite eC trmx_mul submxMl.
    by rewrite !mxrank_tr rE rk.
  by case/submxP=> A /(congr1 trmx); rewrite trmx_mul !trmxK => ->; rewrite mulmxA vK mul0mx.
have [h eh] : exists h, f = E *m h.
  exists (\col_k if [pick x | c x == k] is Some x then f x 0 else 0); apply/colP=> x; rewrite mxE.
  rewrite (bigD1 (c x)) //= !mxE eqxx mul1r big1 ?addr0 => [|k ne]; last by rewrite !mxE eq_sym (negbTE ne) mul0r.
  by case: pickP => [y /eqP e | /(_ x)]; [apply: hf | rewrite eqxx].
by rewrite eh mulmxA vE mul0mx.
Qed.
