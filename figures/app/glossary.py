"""Words that the pages explain when a reader rests on them."""

TERMS = {
    "pair": "A state together with an action that is taken in it. Values, rewards and similarities belong to pairs.",
    "value": "The discounted sum of all rewards that are to be expected from a pair onwards: q(x).",
    "discount": "A reward t steps later counts gamma^t times. Gamma lies between 0 and 1.",
    "LSPE": "Least-squares policy evaluation: again and again, fit the features to one step of the Bellman equation.",
    "TD": "Temporal-difference learning: again and again, move the weights a little along the Bellman equation.",
    "spectral radius": "The size of the largest eigenvalue of L. Below 1, repeating theta <- b + L theta converges.",
    "norm": "The most by which one step can stretch an error. Below 1, every single step brings the weights closer.",
    "features": "Numbers that describe a pair. Value learning looks for values that are weighted sums of them.",
    "weights": "The numbers theta that value learning fits: the value of a pair is the weighted sum of its features.",
    "data": "How often each pair was seen. Regression counts each pair as often as that.",
    "KROPE": "A similarity of pairs: they are alike when they pay alike now and lead to pairs that are alike.",
    "kernel": "A similarity k(x, y) that is an inner product of feature vectors, possibly infinitely many of them.",
    "distance": "d(x, y) = k(x, x) + k(y, y) - 2 k(x, y): zero for pairs that the kernel cannot tell apart.",
    "bisimulation": "A stricter distance: it compares whole futures, joined in the best way, not one step at a time.",
    "certificate": "A proof that a small program checks by arithmetic on fractions; no trust in floats is needed.",
    "witness": "A chain, in exact fractions, on which a claim fails.",
    "condition number": "How much the features stretch one direction more than another. Large ones cost digits.",
    "off-policy": "The data come from one policy, the values of another are wanted.",
    "law": "The probability of each possible reward at one time.",
    "eigenvalue": "A factor by which a matrix multiplies some direction: inside the unit circle it dies out.",
}
