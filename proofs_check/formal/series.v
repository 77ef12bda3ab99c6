(* Sums of series in an archimedean field, by error bounds. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import supnorm.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* the series a_0 + a_1 + .. has the sum s *)
Definition series_to (F : realFieldType) (a : nat -> F) (s : F) :=
  forall e, 0 < e -> exists N, forall m, (N <= m)%N -> `|\sum_(t < m) a t - s| <= e.

Section Series.
Variable F : archiFieldType.

Lemma series_geom (a : nat -> F) s g C : 0 <= g -> g < 1 ->
  (forall m, `|\sum_(t < m) a t - s| <= g ^+ m * C) -> series_to a s.
Proof.
move=> g0 g1 h e e0; have [N hN] := geom_small g0 g1 C e0.
by exists N => m /hN; apply: le_trans.
Qed.
End Series.

Section Unique.
Variable F : realFieldType.

Lemma series_unique (a : nat -> F) s u : series_to a s -> series_to a u -> s = u.
Proof.
move=> hs hu; apply/eqP; rewrite -subr_eq0 -normr_le0 leNgt; apply/negP=> h.
have e0 : 0 < `|s - u| / 3%:R by rewrite divr_gt0 ?ltr0n.
have [N1 h1] := hs _ e0; have [N2 h2] := hu _ e0.
have {h1} h1 := h1 _ (leq_maxl N1 N2); have {h2} h2 := h2 _ (leq_maxr N1 N2).
set S := \sum_(t < _) _ in h1 h2.
have : `|s - u| <= `|s - u| / 3%:R + `|s - u| / 3%:R.
  apply: le_trans (ler_add h1 h2); rewrite [`|S - s|]distrC.
  by apply: le_trans (ler_norm_add _ _); rewrite addrA subrK.
rewrite -mulrDl ler_pdivl_mulr ?ltr0n // -mulr2n -[_ *+ 2]mulr_natr.
by rewrite ler_pmul2l // ler_nat.
Qed.
End Unique.
