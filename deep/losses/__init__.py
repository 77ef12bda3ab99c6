r"""Losses as pure functions of arrays, over one regression core.

Conventions. ``phi`` [..., B, d] are features of the rows of a batch, ``r`` [..., B] their rewards, ``phi_next`` the
features that follow, taken from the target network unless said otherwise; leading dimensions are independent problems
(trials), and the result has their shape. ``weights`` [..., B] are non-negative and normalized inside; None is uniform.

A batch is either a *minibatch* of sampled transitions (uniform weights, one successor for each row) or a *table*: all
pairs, weighted by counts, with ``phi_next`` the mean of what follows each. A loss whose gradient is linear in its
target cannot tell the two apart; a loss that is not takes the ``joint`` weights [..., B, M] of row ``i`` being followed
by next row ``j``.

Pairs of rows. A transition paired with itself shares one sampled successor, while the operators take two independent
ones. ``samples = n`` says that the batch stands for ``n`` sampled transitions and leaves the pairs of a transition with
itself out, which is unbiased for the loss over all pairs of the full data; None takes all pairs, which is right for the
full data: the gradient then vanishes at the fixed point of the empirical chain's operator.

Ends. The next features of a transition that ended are zero; each loss says what follows from that.
"""
