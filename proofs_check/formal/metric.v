(* What kind of distance d is: not a metric (its triangle inequality fails), but the square of one. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Krope Require Import psd chain reward_kernel stein kernel rational arith witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.

Section Tables.
Local Open Scope Q_scope.
(* x -> +, y -> -, z -> + or - (1/2 each), + and - absorb; order x y z + - *)
Definition line_P : seq (seq Q) :=
  [:: [:: 0; 0; 0; 1; 0]; [:: 0; 0; 0; 0; 1]; [:: 0; 0; 0; 1#2; 1#2];
      [:: 0; 0; 0; 1; 0]; [:: 0; 0; 0; 0; 1]].
Definition line_r : seq Q := [:: 0; 0; 0; 1; -1].
Definition line_g : Q := 9#10.
Definition line_K : seq (seq Q) :=
  [:: [:: 10; 1; 11#2; 19#2; 1#2]; [:: 1; 10; 11#2; 1#2; 19#2]; [:: 11#2; 11#2; 11#2; 5; 5];
      [:: 19#2; 1#2; 5; 10; 0]; [:: 1#2; 19#2; 5; 0; 10]].
(* a chain in which the second pair is less similar to itself than to the third *)
Definition self_P : seq (seq Q) := [:: [:: 0; 0; 1]; [:: 3#4; 0; 1#4]; [:: 1; 0; 0]].
Definition self_r : seq Q := [:: -1; 1; 1].
Definition self_K : seq (seq Q) := [:: [:: 10; 9#4; 0]; [:: 9#4; 53#8; 31#4]; [:: 0; 31#4; 10]].
End Tables.

Local Open Scope ring_scope.

Definition d_pseudometric_claim (F : realFieldType) := forall n (P : 'M[F]_n) (r : 'cV[F]_n) (g : F),
  paper_chain P r g -> let d := krope_dist P r (spread r) g in forall x y z, d x y <= d x z + d z y.

(* 18 > 9/2 + 9/2 *)
Theorem d_pseudometric (F : realFieldType) : ~ d_pseudometric_claim F.
Proof.
move=> /(_ _ _ _ _ (@paper_chainQP F 5 line_P line_r line_g isT)).
move=> /(_ (@Ordinal 5 0 isT) (@Ordinal 5 1 isT) (@Ordinal 5 2 isT)).
rewrite /= !(@krope_distQP F 5 _ _ _ line_K) // -ofQD leNgt => /negP; apply.
exact: ofQ_ltP.
Qed.

(* k(x,x) = 53/8 < 31/4 = k(x,y) *)
Theorem remark_self_similarity (F : realFieldType) :
  exists n (P : 'M[F]_n) (r : 'cV[F]_n) (g : F), paper_chain P r g /\
  let k := krope_kernel P r (spread r) g in exists x y, k x x < k x y.
Proof.
exists 3%N, (mxQ F 3 3 self_P), (colQ F 3 self_r), (ofQ F line_g); split; first exact: paper_chainQP.
exists (@Ordinal 3 1 isT), (@Ordinal 3 2 isT).
rewrite (@spreadQP F 3 _ (Qmake 2 1)) // (@kernelQP F 3 _ _ _ _ self_K) // !mxE.
exact: ofQ_ltP.
Qed.

Section Root.
Variables (F : archiFieldType) (n : nat) (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F).
Hypotheses (subP : substochastic P) (g0 : 0 <= g) (g1 : g < 1) (hR : spread r <= 2%:R * R).
Let K := krope_kernel P r R g.
Let d := krope_dist P r R g.

Lemma krope_dist_split x y z :
  exists e, d x y = d x z + d z y + 2%:R * e /\ e ^+ 2 <= d x z * d z y.
Proof.
have sK : K^T = K := krope_kernel_sym _ _ subP g0 g1.
have pK : psd K := krope_kernel_psd subP g0 g1 hR.
have := cauchy_schwarz (delta_mx 0 x - delta_mx 0 z) (delta_mx 0 z - delta_mx 0 y) sK pK.
rewrite !distE // => cs.
exists (form K (delta_mx 0 x - delta_mx 0 z) (delta_mx 0 z - delta_mx 0 y)); split=> //.
have -> : d x y = form K (delta_mx 0 x - delta_mx 0 y) (delta_mx 0 x - delta_mx 0 y) by rewrite distE.
have -> : delta_mx 0 x - delta_mx 0 y
    = 1 *: (delta_mx 0 x - delta_mx 0 z) + 1 *: (delta_mx 0 z - delta_mx 0 y) :> 'rV[F]_n.
  by rewrite !scale1r addrA subrK.
rewrite form_sq // !distE // /d /krope_dist -/K.
by set a := dist K x z; set b := dist K z y; set c := form K _ _; ring.
Qed.

Lemma krope_dist_ge0 x y : 0 <= d x y.
Proof. by rewrite /d /krope_dist -distE ?krope_kernel_sym //; apply: krope_kernel_psd. Qed.

(* sqrt(d) is a pseudometric (a, b, c being the roots), and d satisfies the triangle inequality
   with a factor of 2 *)
Theorem root_triangle x y z : [/\ d x x = 0, d x y = d y x, 0 <= d x y,
  forall a b c, 0 <= a -> 0 <= b -> 0 <= c ->
    a ^+ 2 = d x y -> b ^+ 2 = d x z -> c ^+ 2 = d z y -> a <= b + c
  & d x y <= 2%:R * (d x z + d z y)].
Proof.
have [e [ex ey]] := krope_dist_split x y z; have dz := krope_dist_ge0 x z; have dy := krope_dist_ge0 z y.
have sK : K^T = K := krope_kernel_sym _ _ subP g0 g1.
split=> [|||a b c a0 b0 c0 ea eb ec|].
- by rewrite /d /krope_dist /dist; ring.
- rewrite /d /krope_dist /dist -/K; have -> : K y x = K x y by rewrite -{1}sK mxE.
  by rewrite [K x x + _]addrC.
- exact: krope_dist_ge0.
- have h : e ^+ 2 <= (b * c) ^+ 2 by rewrite exprMn eb ec.
  have {}h : e <= b * c.
    by apply: le_trans (ler_norm _) _; rewrite -ler_sqr ?nnegrE ?mulr_ge0 // real_normK ?num_real.
  rewrite -ler_sqr ?nnegrE ?addr_ge0 // ea ex -eb -ec; clear -h; nra.
- have : (2%:R * e) ^+ 2 <= (d x z + d z y) ^+ 2.
    by have := sqr_ge0 (d x z - d z y); clear -ey; nra.
  have s0 : 0 <= d x z + d z y by lra.
  move=> h; suff : 2%:R * e <= d x z + d z y by rewrite ex; lra.
  by apply: le_trans (ler_norm _) _; rewrite -ler_sqr ?nnegrE // real_normK ?num_real.
Qed.
End Root.

(* The square root of d is a pseudometric; d(x,y) <= 2 (d(x,z) + d(z,y)); and the 2 is attained. *)
Theorem sqrt_d_metric (F : archiFieldType) :
  (forall n (P : 'M[F]_n) (r : 'cV[F]_n) (R g : F),
     substochastic P -> 0 <= g < 1 -> spread r <= 2%:R * R ->
     let d := krope_dist P r R g in
     [/\ forall x, d x x = 0, forall x y, d x y = d y x, forall x y, 0 <= d x y,
         forall x y z a b c, 0 <= a -> 0 <= b -> 0 <= c ->
           a ^+ 2 = d x y -> b ^+ 2 = d x z -> c ^+ 2 = d z y -> a <= b + c
       & forall x y z, d x y <= 2%:R * (d x z + d z y)]) /\
  (exists n (P : 'M[F]_n) (r : 'cV[F]_n) (g : F), paper_chain P r g /\
     let d := krope_dist P r (spread r) g in
     exists x y z, d x y = 2%:R * (d x z + d z y) /\ 0 < d x y).
Proof.
split=> [n P r R g sP /andP[g0 g1] hR /=|].
  by split=> [x|x y|x y|x y z|x y z];
    [have [] := root_triangle sP g0 g1 hR x x x | have [] := root_triangle sP g0 g1 hR x y x
    |have [] := root_triangle sP g0 g1 hR x y x | have [] := root_triangle sP g0 g1 hR x y z
    |have [] := root_triangle sP g0 g1 hR x y z].
exists 5%N, (mxQ F 5 5 line_P), (colQ F 5 line_r), (ofQ F line_g); split; first exact: paper_chainQP.
exists (@Ordinal 5 0 isT), (@Ordinal 5 1 isT), (@Ordinal 5 2 isT).
rewrite /= !(@krope_distQP F 5 _ _ _ line_K) // -ofQD -(ofQ_nat F 2) -ofQM; split.
  exact: ofQ_eqP.
by rewrite -(ofQ0 F); apply: ofQ_ltP.
Qed.
