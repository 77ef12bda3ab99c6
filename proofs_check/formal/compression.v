(* Features Phi = K W' that are orthonormal in the RKHS of K (W K W' = I) and whose regression is W: then LSPE's
   matrix L = g W P Phi is a compression of g P, and norm2(L) <= sqrt(g). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Krope Require Import psd.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Compression.
Variables (F : realFieldType) (n d : nat) (P K K1 : 'M[F]_n) (g : F) (W : 'M[F]_(d, n)).
Hypotheses (sK : K^T = K) (fixK : K = K1 + g *: (P *m K *m P^T)) (WKW : W *m K *m W^T = 1%:M).
Let Phi := K *m W^T.
Let L := g *: (W *m P *m Phi).

Lemma compression_tr : Phi^T = W *m K. Proof. by rewrite trmx_mul trmxK sK. Qed.

(* what the features leave of the kernel *)
Lemma lost_gram : K - Phi *m Phi^T = (1%:M - Phi *m W) *m K *m (1%:M - Phi *m W)^T.
Proof.
have e : Phi *m W *m K = Phi *m Phi^T by rewrite compression_tr mulmxA.
have f : K *m (Phi *m W)^T = Phi *m Phi^T by rewrite [(Phi *m W)^T]trmx_mul mulmxA.
have p : Phi *m W *m Phi = Phi by rewrite -mulmxA (mulmxA W) WKW mulmx1.
have h : Phi *m Phi^T *m (Phi *m W)^T = Phi *m Phi^T by rewrite -mulmxA -trmx_mul p.
by rewrite linearB /= trmx1 mulmxBl mul1mx e mulmxBr mulmx1 mulmxBl f h subrr subr0.
Qed.

Lemma lost_psd : psd K -> psd (K - Phi *m Phi^T).
Proof. by move=> pK; rewrite lost_gram; apply: psd_conj. Qed.

(* g I - L L' = g W K1 W' + g^2 W P (K - Phi Phi') P' W' *)
Lemma compression_gap :
  g *: 1%:M - L *m L^T = g *: (W *m K1 *m W^T) + g ^+ 2 *: (W *m P *m (K - Phi *m Phi^T) *m (W *m P)^T).
Proof.
have LL : L *m L^T = g ^+ 2 *: (W *m P *m (Phi *m Phi^T) *m (W *m P)^T).
  by rewrite /L linearZ /= -scalemxAl -scalemxAr scalerA -expr2 trmx_mul !mulmxA.
have e : g *: 1%:M = g *: (W *m K1 *m W^T) + g ^+ 2 *: (W *m P *m K *m (W *m P)^T).
  rewrite -WKW {1}fixK mulmxDr mulmxDl scalerDr -scalemxAr -scalemxAl scalerA -expr2.
  by rewrite trmx_mul !mulmxA.
by rewrite LL {1}e mulmxBr mulmxBl scalerBr addrA.
Qed.

Theorem compression_norm : 0 <= g -> psd K -> psd K1 -> psd (g *: 1%:M - L *m L^T).
Proof.
move=> g0 pK p1; rewrite compression_gap; apply: psdD; apply: psdZ; rewrite ?exprn_ge0 //; apply: psd_conj => //.
exact: lost_psd.
Qed.
End Compression.
