(* Linear and non-linear arithmetic in any real field: the tactics lra and nra below.
   Coq's own search finds a Positivstellensatz certificate over the rationals; its generic
   checker, proved correct for every ordered ring, is applied to the field. No axiom enters. *)
From Coq Require Import ZArith QArith Setoid.
From Coq Require Import OrderedRing Ring_polynom EnvRing.
From Coq.micromega Require Import RingMicromega QMicromega Tauto Refl Psatz.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Krope Require Import rational.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Checker.
Variable R : realFieldType.

Definition le_prop (x y : R) : Prop := x <= y.
Definition lt_prop (x y : R) : Prop := x < y.
Definition power (x : R) (n : N) : R := x ^+ N.to_nat n.

Lemma field_sor : SOR 0 1 +%R *%R (fun x y => x - y) -%R eq le_prop lt_prop.
Proof.
split; rewrite /le_prop /lt_prop.
- by split=> [x|x y|x y z] // -> ->.
- by move=> x y -> z t ->.
- by move=> x y -> z t ->.
- by move=> x y ->.
- by move=> x y -> z t ->.
- by move=> x y -> z t ->.
- split=> *; [exact: add0r | exact: addrC | exact: addrA | exact: mul1r | exact: mulrC
             | exact: mulrA | exact: mulrDl | by [] | exact: subrr].
- by [].
- by move=> x y h1 h2; apply/eqP; rewrite eq_le h1.
- by move=> x y z; apply: le_trans.
- move=> x y; rewrite lt_neqAle; split=> [/andP[/eqP h ->]|[-> h]] //.
  by rewrite andbT; apply/eqP.
- by move=> x y; case: (ltgtP x y); auto.
- by move=> x y z; rewrite ler_add2l.
- by move=> x y; apply: mulr_gt0.
- by apply/eqP; rewrite eq_sym oner_eq0.
Qed.

Lemma power_theoryR : power_theory 1 *%R eq id power.
Proof.
split=> x [|p] //; rewrite /power /=; elim: p => [p IH|p IH|] /=.
- have -> : Pos.to_nat p~1 = (Pos.to_nat p + Pos.to_nat p).+1 by lia.
  by rewrite exprS exprD IH.
- have -> : Pos.to_nat p~0 = (Pos.to_nat p + Pos.to_nat p)%N by lia.
  by rewrite exprD IH.
- by rewrite expr1.
Qed.

Lemma field_addon : SORaddon 0 1 +%R *%R (fun x y => x - y) -%R eq le_prop
  (Qmake Z0 xH) (Qmake (Zpos xH) xH) Qplus Qmult Qminus Qopp Qeq_bool Qle_bool
  (@ofQ R) id power.
Proof.
split.
- split; [exact: ofQ0 | exact: ofQ1 | exact: ofQD | exact: ofQB | exact: ofQM | exact: ofQN |].
  by move=> x y; apply: ofQ_eqP.
- exact: power_theoryR.
- by move=> x y h /ofQ_inj; rewrite h.
- by move=> x y; apply: ofQ_leP.
Qed.

Definition qeval := eval_formula +%R *%R (fun x y => x - y) -%R eq le_prop lt_prop (@ofQ R) id power.
Definition qbool (op : Op2) (x y : R) : bool :=
  match op with
  | OpEq => x == y | OpNEq => x != y | OpLe => x <= y | OpGe => y <= x | OpLt => x < y
  | OpGt => y < x end.
Definition qeval_kind env k (f : Formula Q) : rtyp k :=
  match k with
  | isProp => qeval env f
  | isBool => let e := eval_pexpr +%R *%R (fun x y => x - y) -%R (@ofQ R) id power env in
              qbool (Fop f) (e (Flhs f)) (e (Frhs f))
  end.

Lemma qeval_hold env k f : hold k (qeval_kind env k f) <-> qeval env f.
Proof.
case: k => //=; case: f => l [] r; rewrite /qeval /=.
all: rewrite /le_prop /lt_prop; split=> //; try by move/eqP.
all: by move=> h; apply/eqP.
Qed.

Lemma checker_sound f w : QTautoChecker f w = true -> forall env, eval_bf (qeval_kind env) f.
Proof.
rewrite /QTautoChecker => TC env.
apply tauto_checker_sound with (eval := qeval_kind)
  (eval' := eval_nformula 0 +%R *%R eq le_prop lt_prop (@ofQ R)) (env := env) in TC => //.
- exact (eval_nformula_dec field_sor (@ofQ R)).
- intros t; case: t; apply (check_inconsistent_sound field_sor field_addon).
- unfold qdeduce; intros; revert H; eapply (nformula_plus_nformula_correct field_sor field_addon); eauto.
- intros; rewrite qeval_hold; eapply (cnf_normalise_correct field_sor field_addon); eauto.
- intros; rewrite hold_eNOT qeval_hold; now eapply (cnf_negate_correct field_sor field_addon); eauto.
- intros t w0; rewrite /eval_tt => h e.
  refine (proj2 (@make_impl_map _ _ (eval_nformula 0 +%R *%R eq le_prop lt_prop (@ofQ R) e) _ _ _ _) _) => //.
  exact (checker_nf_sound field_sor field_addon _ _ h e).
Qed.

(* the syntax that goals are read into: what it means is convertible to the goal *)
Inductive expr :=
| EVar of positive | ENat of nat | EInvNat of nat | EOpp of expr | EAdd of expr & expr
| EMul of expr & expr | EPow of expr & nat.
Inductive rel := RLe of expr & expr | RLt of expr & expr | REq of expr & expr | RFalse.

Fixpoint emean (env : positive -> R) e : R :=
  match e with
  | EVar p => env p
  | ENat n => n%:R
  | EInvNat n => n%:R^-1
  | EOpp a => - emean env a
  | EAdd a b => emean env a + emean env b
  | EMul a b => emean env a * emean env b
  | EPow a n => emean env a ^+ n
  end.
Definition rmean env r : Prop :=
  match r with
  | RLe a b => emean env a <= emean env b
  | RLt a b => emean env a < emean env b
  | REq a b => emean env a = emean env b
  | RFalse => False
  end.
Fixpoint implied env hs c : Prop := if hs is h :: hs' then rmean env h -> implied env hs' c else rmean env c.

Fixpoint ecode e : PExpr Q :=
  match e with
  | EVar p => PEX p
  | ENat n => PEc (inject_Z (Z.of_nat n))
  | EInvNat n => PEc (Qinv (inject_Z (Z.of_nat n)))
  | EOpp a => PEopp (ecode a)
  | EAdd a b => PEadd (ecode a) (ecode b)
  | EMul a b => PEmul (ecode a) (ecode b)
  | EPow a n => PEpow (ecode a) (N.of_nat n)
  end.
Definition rcode r : BFormula (Formula Q) isProp :=
  match r with
  | RLe a b => A isProp (Build_Formula (ecode a) OpLe (ecode b)) tt
  | RLt a b => A isProp (Build_Formula (ecode a) OpLt (ecode b)) tt
  | REq a b => A isProp (Build_Formula (ecode a) OpEq (ecode b)) tt
  | RFalse => FF isProp
  end.
Fixpoint code hs c : BFormula (Formula Q) isProp :=
  if hs is h :: hs' then IMPL (rcode h) None (code hs' c) else rcode c.

Lemma ofZ_nat n : ofZ R (Z.of_nat n) = n%:R.
Proof.
elim: n => [|n IH] //; rewrite Nat2Z.inj_succ -Z.add_1_r ofZD IH -addn1 natrD.
by congr (_ + _).
Qed.

Lemma ecodeE env e :
  eval_pexpr +%R *%R (fun x y => x - y) -%R (@ofQ R) id power env (ecode e) = emean env e.
Proof.
elim: e => //= [n|n|a ->|a -> b ->|a -> b ->|a -> n] //.
- by rewrite ofQZ ofZ_nat.
- by rewrite ofQV ofQZ ofZ_nat.
- by rewrite /power Nnat.Nat2N.id.
Qed.

Lemma rcodeE env r : eval_bf (qeval_kind env) (rcode r) <-> rmean env r.
Proof. by case: r => [a b|a b|a b|] //=; rewrite /qeval /= !ecodeE. Qed.

Theorem implied_sound hs c w : QTautoChecker (code hs c) w = true -> forall env, implied env hs c.
Proof.
move/checker_sound=> h env; move: {h}(h env).
elim: hs => [|a hs IH] /=; first by move/rcodeE.
by move=> h /rcodeE/h/IH.
Qed.
End Checker.

Fixpoint lookup (R : realFieldType) (s : seq R) (p : positive) : R :=
  match p, s with
  | _, [::] => 0
  | xH, x :: _ => x
  | _, _ :: s' => lookup s' (Pos.pred p)
  end.

(* reading a goal: atoms first, then the syntax over the list of atoms *)
Ltac arith_insert t s :=
  lazymatch s with
  | nil => constr:(cons t nil)
  | cons ?u ?s' => match constr:(tt) with
                   | _ => let _ := match constr:(tt) with _ => constr_eq t u end in s
                   | _ => let s'' := arith_insert t s' in constr:(cons u s'')
                   end
  end.
Ltac arith_index t s :=
  lazymatch s with
  | cons ?u ?s' => match constr:(tt) with
                   | _ => let _ := match constr:(tt) with _ => constr_eq t u end in constr:(xH)
                   | _ => let p := arith_index t s' in eval compute in (Pos.succ p)
                   end
  end.
(* whether a natural number is a numeral *)
Ltac arith_numeral n :=
  lazymatch n with O => constr:(true) | S ?m => arith_numeral m | _ => constr:(false) end.
Ltac arith_closed n := let m := eval vm_compute in n in arith_numeral m.
Ltac arith_atoms t s :=
  lazymatch t with
  | @GRing.add _ ?a ?b => let s := arith_atoms a s in arith_atoms b s
  | @GRing.mul _ ?a ?b => let s := arith_atoms a s in arith_atoms b s
  | @GRing.opp _ ?a => arith_atoms a s
  | @GRing.exp _ ?a ?n =>
      let b := arith_closed n in lazymatch b with true => arith_atoms a s | _ => arith_insert t s end
  | @GRing.natmul _ (GRing.one _) ?n =>
      let b := arith_closed n in lazymatch b with true => s | _ => arith_insert t s end
  | @GRing.inv _ (@GRing.natmul _ (GRing.one _) ?n) =>
      let b := arith_closed n in lazymatch b with true => s | _ => arith_insert t s end
  | GRing.zero _ => s
  | GRing.one _ => s
  | _ => arith_insert t s
  end.
Ltac arith_expr t s :=
  lazymatch t with
  | @GRing.add _ ?a ?b => let a := arith_expr a s in let b := arith_expr b s in constr:(EAdd a b)
  | @GRing.mul _ ?a ?b => let a := arith_expr a s in let b := arith_expr b s in constr:(EMul a b)
  | @GRing.opp _ ?a => let a := arith_expr a s in constr:(EOpp a)
  | @GRing.exp _ ?a ?n =>
      let b := arith_closed n in
      lazymatch b with true => let a := arith_expr a s in constr:(EPow a n)
                  | _ => let p := arith_index t s in constr:(EVar p) end
  | @GRing.natmul _ (GRing.one _) ?n =>
      let b := arith_closed n in
      lazymatch b with true => constr:(ENat n) | _ => let p := arith_index t s in constr:(EVar p) end
  | @GRing.inv _ (@GRing.natmul _ (GRing.one _) ?n) =>
      let b := arith_closed n in
      lazymatch b with true => constr:(EInvNat n) | _ => let p := arith_index t s in constr:(EVar p) end
  | GRing.zero _ => constr:(ENat 0)
  | GRing.one _ => constr:(ENat 1)
  | _ => let p := arith_index t s in constr:(EVar p)
  end.
Ltac arith_rel_atoms t s :=
  lazymatch t with
  | is_true (@Order.le _ _ ?a ?b) => let s := arith_atoms a s in arith_atoms b s
  | is_true (@Order.lt _ _ ?a ?b) => let s := arith_atoms a s in arith_atoms b s
  | @eq _ ?a ?b => let s := arith_atoms a s in arith_atoms b s
  | False => s
  end.
Ltac arith_rel t s :=
  lazymatch t with
  | is_true (@Order.le _ _ ?a ?b) => let a := arith_expr a s in let b := arith_expr b s in constr:(RLe a b)
  | is_true (@Order.lt _ _ ?a ?b) => let a := arith_expr a s in let b := arith_expr b s in constr:(RLt a b)
  | @eq _ ?a ?b => let a := arith_expr a s in let b := arith_expr b s in constr:(REq a b)
  | False => constr:(RFalse)
  end.
Ltac arith_goal_atoms t s :=
  lazymatch t with
  | ?h -> ?t' => let s := arith_rel_atoms h s in arith_goal_atoms t' s
  | _ => arith_rel_atoms t s
  end.
Ltac arith_goal t s hs :=
  lazymatch t with
  | ?h -> ?t' => let h := arith_rel h s in let r := arith_goal t' s hs in
                 lazymatch r with (?l, ?c) => constr:((cons h l, c)) end
  | _ => let c := arith_rel t s in constr:((hs, c))
  end.
(* the type of the numbers that the goal, or some hypothesis, compares *)
Ltac arith_type :=
  match goal with
  | |- is_true (@Order.le _ _ ?a _) => type of a
  | |- is_true (@Order.lt _ _ ?a _) => type of a
  | |- @eq ?T _ _ => T
  | _ : is_true (@Order.le _ _ ?a _) |- _ => type of a
  | _ : is_true (@Order.lt _ _ ?a _) |- _ => type of a
  | _ : is_true (@Order.lt _ _ ?a _) |- _ => type of a
  end.
Ltac arith_has_type a T := let U := type of a in unify U T.
Ltac arith_revert T :=
  repeat match goal with
  | H : is_true (@Order.le _ _ ?a _) |- _ => arith_has_type a T; revert H
  | H : is_true (@Order.lt _ _ ?a _) |- _ => arith_has_type a T; revert H
  | H : @eq ?U ?a _ |- _ => arith_has_type a T; revert H
  end.
Ltac arith_solve search :=
  let T := arith_type in arith_revert T;
  lazymatch goal with
  | |- ?G =>
    let s := arith_goal_atoms G (@nil T) in
    let r := arith_goal G s (@nil rel) in
    lazymatch r with
    | (?hs, ?c) =>
      let f := eval vm_compute in (code hs c) in
      search f ltac:(fun w => exact (@implied_sound _ hs c w (erefl true) (lookup s)))
    end
  end.
Ltac arith_lra f k := let w := fresh "w" in wlra_Q w f; let v := eval unfold w in w in k v.
Ltac arith_nra f k := let w := fresh "w" in wnra_Q w f; let v := eval unfold w in w in k v.
Ltac arith_split := intros; repeat match goal with H : is_true (_ && _) |- _ => case/andP: H => ? ? end;
  try (apply/andP; split).
Ltac lra := arith_split; arith_solve arith_lra.
Ltac nra := arith_split; arith_solve arith_nra.

Example arith_example (R : realFieldType) (x y z : R) :
  0 <= x <= y -> y < z -> 2%:R * x * y <= x ^+ 2 + y ^+ 2 /\ x / 2%:R < z.
Proof. split; [nra | lra]. Qed.
