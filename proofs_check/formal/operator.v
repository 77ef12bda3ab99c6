(* The KROPE operator F(k) = K1 + gamma P k P': contraction, completeness, fixed point, reduction to states. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd supnorm chain stein reward_kernel kernel.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Theorem lemma_contraction (F : realFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) :
  substochastic P -> 0 <= g < 1 ->
  forall k h : 'M[F]_n, supnorm (krope_op P r R g k - krope_op P r R g h) <= g * supnorm (k - h).
Proof. by move=> sP /andP[g0 g1] k h; apply: stein_contraction. Qed.

(* K is the only fixed point among all matrices, symmetric and positive semidefinite; iteration from any
   start and the series sum_t g^t P^t K1 P'^t reach it at the rate g *)
Theorem prop_fixed_point (F : archiFieldType) n (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F) :
  substochastic P -> 0 <= g < 1 -> spread r <= 2%:R * R ->
  let K := krope_kernel P r R g in
  [/\ K = krope_op P r R g K,
      forall k, k = krope_op P r R g k -> k = K,
      K^T = K /\ psd K,
      forall N k, supnorm (iter N (krope_op P r R g) k - K) <= g ^+ N * supnorm (k - K)
    & forall N, supnorm (\sum_(t < N) g ^+ t *: iter t (fun A => P *m A *m P^T) (reward_kernel r R) - K)
                  <= g ^+ N * supnorm K].
Proof.
move=> sP /andP[g0 g1] hR K; split.
- exact: krope_kernelP.
- by move=> k; apply: krope_kernel_unique.
- by split; [apply: krope_kernel_sym | apply: krope_kernel_psd].
- by move=> N k; apply: iterate_error.
- by move=> N; apply: series_error.
Qed.

Section Limits.
Variable F : archiFieldType.

Definition limit_of (u : nat -> F) (l : F) :=
  forall e, 0 < e -> exists N, forall t, (N <= t)%N -> `|u t - l| <= e.
Definition cauchy (u : nat -> F) :=
  forall e, 0 < e -> exists N, forall s t, (N <= s)%N -> (N <= t)%N -> `|u s - u t| <= e.
(* every Cauchy sequence of numbers converges: the real numbers *)
Definition complete_field := forall u, cauchy u -> exists l, limit_of u l.

Definition kernel_limit n (k : nat -> 'M[F]_n) (K : 'M[F]_n) :=
  forall e, 0 < e -> exists N, forall t, (N <= t)%N -> supnorm (k t - K) <= e.
Definition kernel_cauchy n (k : nat -> 'M[F]_n) :=
  forall e, 0 < e -> exists N, forall s t, (N <= s)%N -> (N <= t)%N -> supnorm (k s - k t) <= e.

Lemma norm1_sqnorm n (v : 'rV[F]_n) : norm1 v ^+ 2 <= n%:R * sqnorm v.
Proof.
pose u : 'rV[F]_n := \row_i `|v 0 i|.
have e : norm1 v = form 1%:M (const_mx 1) u.
  by rewrite /form mulmx1 mxE; apply: eq_bigr => i _; rewrite !mxE mul1r.
have c1 : sqnorm (const_mx 1 : 'rV[F]_n) = n%:R.
  by rewrite sqnormE (eq_bigr (fun _ => 1)) ?sumr_const ?card_ord // => i _; rewrite mxE expr1n.
have c2 : sqnorm u = sqnorm v.
  by rewrite !sqnormE; apply: eq_bigr => i _; rewrite mxE real_normK ?num_real.
rewrite e; apply: le_trans (cauchy_schwarz _ _ (trmx1 _ _) (@psd1 _ n)) _.
by rewrite -!/(sqnorm _) c1 c2.
Qed.

(* lambda_min(K) >= lambda_min(K_n) - X norm_inf(K - K_n) *)
Lemma psd_perturbed n (k K : 'M[F]_n) l :
  psd (k - l *: 1%:M) -> psd (K - (l - n%:R * supnorm (K - k)) *: 1%:M).
Proof.
move=> h v; have := h v; rewrite !formD !formN !formZ -/(sqnorm v) !subr_ge0 => hk.
have b : `|form (K - k) v v| <= n%:R * supnorm (K - k) * sqnorm v.
  apply: le_trans (form_bound _ _) _; rewrite mulrAC mulrC ler_wpmul2l ?supnorm_ge0 //.
  exact: norm1_sqnorm.
have e : form K v v = form k v v + form (K - k) v v by rewrite formD formN addrC subrK.
rewrite mulrBl e; move: b; rewrite ler_norml => /andP[b _].
exact: ler_add.
Qed.

Lemma psd_closed n (k : nat -> 'M[F]_n) K :
  (forall t, psd (k t)) -> kernel_limit k K -> psd K.
Proof.
move=> hk lim v; rewrite leNgt; apply/negP=> neg.
have v0 : 0 < n%:R * sqnorm v + 1 by apply: ltr_paddl; rewrite ?ltr01 // mulr_ge0 ?ler0n ?sqnorm_ge0.
have [|N hN] := lim (- form K v v / 2%:R / (n%:R * sqnorm v + 1)).
  by rewrite !divr_gt0 ?oppr_gt0 ?ltr0n.
have {}hN := hN N (leqnn N).
have := @psd_perturbed n (k N) K 0; rewrite scale0r subr0 => /(_ (hk N) v).
rewrite formD formN formZ -/(sqnorm v) sub0r mulNr opprK => h.
have := h; rewrite leNgt => /negP; apply.
have -> : supnorm (K - k N) = supnorm (k N - K) by rewrite -supnormN opprB.
apply: le_lt_trans (_ : form K v v - form K v v / 2%:R < 0); last first.
  have -> : form K v v - form K v v / 2%:R = form K v v / 2%:R by field.
  by rewrite pmulr_llt0 // invr_gt0 ltr0n.
rewrite ler_add2l mulrAC; apply: le_trans (_ : n%:R * sqnorm v * (- form K v v / 2%:R / (n%:R * sqnorm v + 1)) <= _).
  by rewrite ler_wpmul2l ?mulr_ge0 ?ler0n ?sqnorm_ge0.
rewrite mulrA ler_pdivr_mulr // mulrC -mulNr ler_wpmul2l ?ler_addl ?ler01 //.
by rewrite divr_ge0 ?ler0n // oppr_ge0 ltW.
Qed.
End Limits.

(* positive semidefinite kernels are complete in the sup norm, wherever numbers are; and closed with a rate *)
Theorem lemma_complete (F : archiFieldType) n :
  (complete_field F -> forall k : nat -> 'M[F]_n,
     (forall t, (k t)^T = k t /\ psd (k t)) -> kernel_cauchy k ->
     exists K, [/\ kernel_limit k K, K^T = K & psd K])
  /\ (forall (k K : 'M[F]_n) l, psd (k - l *: 1%:M) -> psd (K - (l - n%:R * supnorm (K - k)) *: 1%:M)).
Proof.
split; last by move=> k K l; apply: psd_perturbed.
move=> comp k hk cau.
have ex (ij : 'I_n * 'I_n) : exists l, limit_of (fun t => k t ij.1 ij.2) l.
  apply: comp => e e0; have [N hN] := cau e e0; exists N => s t hs ht.
  by have := le_trans (le_supnorm (k s - k t) ij.1 ij.2) (hN s t hs ht); rewrite !mxE.
have [f hf] := fin_all_exists ex.
pose K := \matrix_(i, j) f (i, j); exists K.
have lim : kernel_limit k K.
  move=> e e0; have hN ij := hf ij e e0; have [N {}hN] := fin_all_exists hN.
  exists (\max_ij N ij)%N => t ht; apply: supnorm_le => [|i j]; first exact: ltW.
  rewrite !mxE; apply: (hN (i, j)); apply: leq_trans ht.
  exact: (leq_bigmax (i, j)).
split=> //; last by apply: psd_closed lim => t; case: (hk t).
apply/matrixP=> i j; apply/eqP; rewrite -subr_eq0 -normr_le0 leNgt; apply/negP=> pos.
have p4 : 0 < `|K^T i j - K i j| / 4%:R by rewrite divr_gt0 ?ltr0n.
have [N hN] := lim _ p4; have {}hN := hN N (leqnn N).
move: pos p4 hN; set a := K^T i j - K i j; move eE : `|a| => e pos p4 hN.
suff : e < e by rewrite ltxx.
apply: le_lt_trans (_ : e / 4%:R + e / 4%:R < e); last first.
  rewrite -subr_gt0; have -> : e - (e / 4%:R + e / 4%:R) = e / 2%:R by field.
  by rewrite divr_gt0 ?ltr0n.
rewrite -{1}eE; have -> : a = (k N - K) i j - (k N - K) j i.
  have sk : k N i j = k N j i by rewrite -{1}(hk N).1 mxE.
  have eB s t : (k N - K) s t = k N s t - K s t by rewrite mxE [(- K) s t]mxE.
  by rewrite !eB sk /a [K^T i j]mxE; move: (k N j i) (K i j) (K j i) => s t u; ring.
apply: le_trans (ler_norm_sub _ _) _.
have small s t : `|(k N - K) s t| <= e / 4%:R by apply: le_trans hN; apply: le_supnorm.
exact: ler_add.
Qed.

(* P gives the next state of each pair, Pi the action there: the kernel's equation lives on states *)
Theorem state_reduction (F : realFieldType) X S (P : 'M[F]_(X, S)) (Pi : 'M[F]_(S, X)) (r : 'cV[F]_X) (R g : F) :
  substochastic P -> substochastic Pi -> 0 <= g < 1 ->
  let K := krope_kernel (P *m Pi) r R g in
  let M := Pi *m K *m Pi^T in
  let equation m := Pi *m reward_kernel r R *m Pi^T + g *: ((Pi *m P) *m m *m (Pi *m P)^T) in
  [/\ K = reward_kernel r R + g *: (P *m M *m P^T), M = equation M & forall m, m = equation m -> m = M].
Proof.
move=> sP sPi /andP[g0 g1] K M equation.
have eK : K = reward_kernel r R + g *: (P *m M *m P^T).
  by rewrite /K {1}krope_kernelP //; [rewrite /krope_op /M trmx_mul !mulmxA | apply: substochastic_mul].
have eM : M = equation M.
  by rewrite {1}/M eK /equation mulmxDr mulmxDl -scalemxAr -scalemxAl trmx_mul !mulmxA.
split=> // m em; apply: (stein_unique (substochastic_mul sPi sP) g0 g1 em eM).
Qed.

(* the two rules of the certificate checker *)
Theorem stein_positivity (F : archiFieldType) n (P : 'M[F]_n) (g : F) :
  substochastic P -> 0 <= g < 1 -> forall X : 'M[F]_n, psd (X - g *: (P *m X *m P^T)) -> psd X.
Proof. by move=> sP /andP[g0 g1] X; apply: stein_psd. Qed.

Theorem stein_uniqueness (F : realFieldType) n (P : 'M[F]_n) (g : F) :
  substochastic P -> 0 <= g < 1 ->
  forall X Y : 'M[F]_n, X - g *: (P *m X *m P^T) = Y - g *: (P *m Y *m P^T) -> X = Y.
Proof.
move=> sP /andP[g0 g1] X Y e; apply: (stein_unique sP g0 g1 (K1 := stein_rest P g X)); exact/stein_restP.
Qed.
