(* Rational numbers that compute (Coq's Q, binary) inside any real field. *)
From Coq Require Import ZArith QArith Qabs.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Rational.
Variable R : realFieldType.

(* the number n of R, and the number p/q of R *)
Definition ofZ (n : Z) : R := (int_of_Z n)%:~R.
Definition ofQ (x : Q) : R := ofZ (Qnum x) / ofZ (Zpos (Qden x)).

Lemma ofZD m n : ofZ (Z.add m n) = ofZ m + ofZ n.
Proof. by rewrite /ofZ -[Z.add m n]/(m + n)%R raddfD /= intrD. Qed.
Lemma ofZM m n : ofZ (Z.mul m n) = ofZ m * ofZ n.
Proof. by rewrite /ofZ -[Z.mul m n]/(m * n)%R rmorphM /= intrM. Qed.
Lemma ofZN m : ofZ (Z.opp m) = - ofZ m.
Proof. by rewrite /ofZ -[Z.opp m]/(- m)%R raddfN /= mulrNz. Qed.

Lemma ofZ_ge0 m : Z.le 0 m -> 0 <= ofZ m.
Proof. by case: m => [|p|p] // _; rewrite /ofZ /= ler0z. Qed.
Lemma ofZ_gt0 m : Z.lt 0 m -> 0 < ofZ m.
Proof. by case: m => [|p|p] // _; rewrite /ofZ ltr0z /=; lia. Qed.
Lemma ofZ_le m n : Z.le m n -> ofZ m <= ofZ n.
Proof.
move=> h; have : 0 <= ofZ (Z.add n (Z.opp m)) by apply: ofZ_ge0; lia.
by rewrite ofZD ofZN subr_ge0.
Qed.
Lemma ofZ_lt m n : Z.lt m n -> ofZ m < ofZ n.
Proof.
move=> h; have : 0 < ofZ (Z.add n (Z.opp m)) by apply: ofZ_gt0; lia.
by rewrite ofZD ofZN subr_gt0.
Qed.
Lemma ofZ_den p : ofZ (Zpos p) != 0.
Proof. by rewrite gt_eqF // ofZ_gt0. Qed.
Hint Resolve ofZ_den : core.

Lemma ofQ_eq x y : Qeq x y -> ofQ x = ofQ y.
Proof.
move=> e; apply/eqP; rewrite /ofQ eqr_div // -!ofZM; apply/eqP.
by congr ofZ.
Qed.
Lemma ofQ_le x y : Qle x y -> ofQ x <= ofQ y.
Proof.
move=> e; rewrite /ofQ ler_pdivr_mulr ?ofZ_gt0 // mulrAC ler_pdivl_mulr ?ofZ_gt0 //.
by rewrite -!ofZM; apply: ofZ_le.
Qed.
Lemma ofQ_lt x y : Qlt x y -> ofQ x < ofQ y.
Proof.
move=> e; rewrite /ofQ ltr_pdivr_mulr ?ofZ_gt0 // mulrAC ltr_pdivl_mulr ?ofZ_gt0 //.
by rewrite -!ofZM; apply: ofZ_lt.
Qed.

Lemma ofQ0 : ofQ (Qmake Z0 xH) = 0. Proof. by rewrite /ofQ /= mul0r. Qed.
Lemma ofQ1 : ofQ (Qmake (Zpos xH) xH) = 1. Proof. exact: divff (ofZ_den _). Qed.
Lemma ofQZ n : ofQ (inject_Z n) = ofZ n.
Proof. by rewrite /ofQ /= /ofZ /= divr1. Qed.
Lemma ofQN x : ofQ (Qopp x) = - ofQ x.
Proof. by rewrite /ofQ ofZN mulNr. Qed.
Lemma ofQD x y : ofQ (Qplus x y) = ofQ x + ofQ y.
Proof. by rewrite /ofQ /= Pos2Z.inj_mul ofZD !ofZM addf_div. Qed.
Lemma ofQB x y : ofQ (Qminus x y) = ofQ x - ofQ y.
Proof. by rewrite /Qminus ofQD ofQN. Qed.
Lemma ofQM x y : ofQ (Qmult x y) = ofQ x * ofQ y.
Proof. by rewrite /ofQ /= Pos2Z.inj_mul !ofZM mulf_div. Qed.
Lemma ofQV x : ofQ (Qinv x) = (ofQ x)^-1.
Proof.
rewrite /ofQ /Qinv; case: (Qnum x) => [|p|p] /=; rewrite ?mul0r ?invr0 //.
  by rewrite invf_div.
by rewrite -!Pos2Z.opp_pos !ofZN mulNr mulNr invrN invf_div.
Qed.
Lemma ofQ_div x y : ofQ (Qdiv x y) = ofQ x / ofQ y.
Proof. by rewrite /Qdiv ofQM ofQV. Qed.
Lemma ofQ_abs x : ofQ (Qabs x) = `|ofQ x|.
Proof.
case: x => n d; rewrite /Qabs /ofQ /= normrM normrV ?unitfE //.
rewrite [`|ofZ (Zpos d)|]gtr0_norm ?ofZ_gt0 //; congr (_ / _).
case: n => [|p|p]; rewrite /Z.abs ?normr0 //.
  by rewrite gtr0_norm ?ofZ_gt0.
by rewrite -[Zneg p]/(Z.opp (Zpos p)) ofZN normrN gtr0_norm ?ofZ_gt0.
Qed.

(* decision by computation *)
Lemma ofQ_eqP x y : Qeq_bool x y -> ofQ x = ofQ y.
Proof. by move=> h; apply/ofQ_eq/Qeq_bool_iff. Qed.
Lemma ofQ_leP x y : Qle_bool x y -> ofQ x <= ofQ y.
Proof. by move=> h; apply/ofQ_le/Qle_bool_iff. Qed.
Lemma ofQ_ltP x y : ~~ Qle_bool y x -> ofQ x < ofQ y.
Proof. by move=> h; apply/ofQ_lt/Qnot_le_lt => /Qle_bool_iff e; rewrite e in h. Qed.
Lemma ofQ_inj x y : ofQ x = ofQ y -> Qeq_bool x y.
Proof.
move=> e; apply/Qeq_bool_iff; case: (Qlt_le_dec x y) => [/ofQ_lt | /Qle_lteq[/ofQ_lt | /Qeq_sym //]].
  by rewrite e ltxx.
by rewrite e ltxx.
Qed.
End Rational.
