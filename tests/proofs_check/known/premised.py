"""Claims under premises that no plain long chain meets, on equations and on special shapes, each with its reason."""

from tests.proofs_check.known.values import C, given

TRUE = [
    ("exists trace(P**9) == 9", given("trace(P**3) == 0"), "a cycle of nine"),
    ("exists U[x,y] >= 20*rho0", given("gamma <= 19/20", "rho0 > 0", **C), "absorbing pairs, gamma = 19/20"),
    ("2*I >= P + P'", given(classes=["doubly-stochastic"]), "norm 1"),
]

#: claim, options, a chain that refutes it.
FALSE = [
    ("groups <= rewards**4 + 3", C, "a path of 23, one reward differs"),
    ("rk(P**4) >= rk(P) - 8", {}, "a binary tree of 23"),
    ("actions <= rewards + 7", {}, "one state, 13 actions, two rewards"),
    ("d[x,y] >= gamma/20", given("r[x] > r[y]"), "R far wider, the same successor"),
    ("(d[x,y] - 11/8)**2 > 0", given("gamma == 1/3", **C), "absorbing pairs, abs(dr)/R = 11/24"),
    ("norm2(L(2)) <= 0.49", given("D[w] > 0", features="krope", gamma="1/2"), "cycle of five, one reward differs"),
    ("lambda_max >= 0.52", {}, "gamma = 0, rewards 0 and 1, R = rho0"),
    ("rank >= rewards + X - 21", {}, "22 pairs alike"),
    ("norm2(A) <= 1.9*norm2(B)", given(classes=["on-policy"], features="any"), "a swap, phi = (1, -1), gamma = 99/100"),
    (
        "d_pi[x,y] <= 3*W1[x,y]",
        given("r[x] > r[y]", **C),
        "x to a|b to +|-, y to c to +|- by a coin; r[x] = 1/100, others 0",
    ),
    ("exists U[x,y] > 20*rho0", given("gamma <= 19/20", **C), "U <= rho0/(1-gamma)"),
    (
        "d_mu[x,y] <= 4*d[x,y]",
        given("r[x] == r[y]", "d[x,y] > 0", **C),
        "x to s, y to t; pi nearly alike in both, mu not",
    ),
    (
        "K[x,y] >= life[x]*life[y]/40",
        given("rewards == 1", classes=["deterministic"], gamma="1"),
        "an ending path of 41",
    ),
    ("q[x] - q[y] <= 31/10", given("q[x]**2 + q[y]**2 == 5", **C), "22/13 and -19/13"),
    ("rank <= 12", given("gamma == 6/7", "rewards == 2", **C), "a path of 13, one reward differs"),
    ("groups <= 14", given("rmin >= 1", **C), "a path of 15 with rewards 1 and 2"),
    ("groups <= 12", given("end[w] >= 1/20", "rewards <= 2"), "a path of 13 that leaks"),
    ("groups <= 12", given("P[w,w] >= 3/4", "rewards == 2", **C), "a lazy path of 13"),
    ("norm2(P)**2 <= X - 1", given("X >= 2"), "a star"),
    ("d[x,y] <= 2*abs(r[x]-r[y])/R + gamma*mmd2[x,y] - gamma**40", given("rho0 > 0"), "an identity, less something"),
    ("S*actions <= 60", {}, "61 pairs"),
    ("abs(q_mu[x]-q[x]) <= 9*rho0*max(z, abs(mu[z]-pi[z]))", C, "one state of two actions, gamma near 1"),
    ("rk(A) >= rk(B)", given("gamma >= 1/2", features="any"), "phi = (1, 2), 0 to 1, data at 0, gamma = 1/2"),
    ("norm2(L(2)) <= gamma*norm2(L)", given(features="any"), "data at 0, phi = (1, 0, 1), 0 to 1 to 2: L = 0"),
]
