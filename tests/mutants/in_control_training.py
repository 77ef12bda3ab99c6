"""Mistakes in the training on control data: its losses, evaluation and measures."""

from tests.mutants.mutation import Mutation

CONTROL, TESTS = "deep/control", "tests/deep/control"
LOSSES, TEST_LOSSES = "deep/losses", "tests/deep/losses"
EVALUATION, TEST_EVALUATION = f"{CONTROL}/evaluation.py", (f"{TESTS}/test_evaluation.py",)
ROUTES = f"{CONTROL}/lspe_routes.py"
MEASURES, TEST_MEASURES = f"{CONTROL}/measures.py", (f"{TESTS}/test_measures.py",)
CLOSED, TEST_CLOSED = f"{CONTROL}/closed.py", (f"{TESTS}/test_closed.py",)
OBJECTIVES, TEST_OBJECTIVES = f"{CONTROL}/objectives.py", (f"{TESTS}/test_objectives.py",)
NETWORK, TEST_NETWORK = f"{CONTROL}/network.py", (f"{TESTS}/test_network.py",)
TRAINING, TEST_TRAINING = f"{CONTROL}/training.py", f"{TESTS}/test_training.py"
FOLDER = f"{CONTROL}/run_folder.py"

OF_EVALUATION = (
    Mutation(
        "error-over-the-gap-not-its-square",
        EVALUATION,
        "scale = gap * gap\n        if",
        "scale = abs(gap)\n        if",
        TEST_EVALUATION,
    ),
    Mutation(
        "an-overflow-is-an-unknown-error",
        EVALUATION,
        "error if isfinite(error) else inf for error in errors",
        "error if isfinite(error) else nan for error in errors",
        TEST_EVALUATION,
    ),
    Mutation(
        "noise-forgets-the-random-policys",
        EVALUATION,
        "by_target * by_target + by_random * by_random",
        "by_target * by_target",
        TEST_EVALUATION,
    ),
    Mutation(
        "both-routes-in-single-precision",
        ROUTES,
        "found = rows.iteration(gamma, ",
        'found = Rows(rows.Phi.astype("f4"), rows.Phi_next, rows.r).iteration(gamma, ',
        TEST_EVALUATION,
    ),
    Mutation(
        "value-of-the-first-iterate",
        EVALUATION,
        "Phi_start @ out.trace[-1]",
        "Phi_start @ out.trace[1]",
        TEST_EVALUATION,
    ),
    Mutation(
        "too-large-for-float32-counts-as-stable",
        EVALUATION,
        '{f"stable_{route}": 0.0,',
        '{f"stable_{route}": 1.0,',
        TEST_EVALUATION,
    ),
    Mutation(
        "starts-may-be-infinite",
        EVALUATION,
        "for part in (self.Phi, self.Phi_next, self.Phi_start))",
        "for part in (self.Phi, self.Phi_next))",
        TEST_EVALUATION,
    ),
    Mutation(
        "certificate-without-the-discount",
        MEASURES,
        "np.repeat([1.0, -gamma], Phi.shape[1])",
        "np.repeat([1.0, -1.0], Phi.shape[1])",
        TEST_MEASURES,
    ),
    Mutation(
        "margin-of-the-whole-eigenvalue",
        MEASURES,
        "smallest * (1 / gamma - 1) - negative",
        "smallest / gamma - negative",
        TEST_MEASURES,
    ),
    Mutation(
        "an-unknown-eigenvalue-is-zero",
        MEASURES,
        "0.0 if lowest >= 0 else -lowest",
        "max(0.0, -lowest)",
        TEST_MEASURES,
    ),
    Mutation(
        "smallest-eigenvalue-off-the-range",
        MEASURES,
        "sigma[rank - 1] ** 2",
        "sigma[-1] ** 2",
        TEST_MEASURES,
    ),
    Mutation(
        "completeness-without-the-discount",
        MEASURES,
        "np.column_stack([gamma * Phi_next, r])",
        "np.column_stack([Phi_next, r])",
        TEST_MEASURES,
    ),
    Mutation(
        "opposite-features-are-far-apart",
        MEASURES,
        "1 - np.abs((unit @ unit.T)[x, y])",
        "1 - (unit @ unit.T)[x, y]",
        TEST_MEASURES,
    ),
    Mutation(
        "closed-form-bootstraps-past-the-end",
        CLOSED,
        "alive * psi(data.next_pairs())",
        "psi(data.next_pairs())",
        TEST_CLOSED,
    ),
    Mutation(
        "closed-form-of-any-dimension",
        CLOSED,
        ": min(found.d, config.dimension_of(data.n_inputs))]",
        ": found.d]",
        TEST_CLOSED,
    ),
    Mutation(
        "bandwidth-upside-down",
        CLOSED,
        "/ (config.bandwidth * median)",
        "* config.bandwidth / median",
        TEST_CLOSED,
    ),
    Mutation(
        "random-features-of-raw-pairs",
        CLOSED,
        "((x - center) / scale) @ omega",
        "(x - center) @ omega",
        TEST_CLOSED,
    ),
)

OF_TRAINING = (
    Mutation(
        "control-losses-change-weights",
        OBJECTIVES,
        "config.alpha * auxiliary + (1 - config.alpha) * value",
        "(1 - config.alpha) * auxiliary + config.alpha * value",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "bootstrap-past-the-end",
        OBJECTIVES,
        "after = batch.alive[:, None] * target.encoder(batch.x_next)",
        "after = target.encoder(batch.x_next)",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "bootstrap-on-the-network-itself",
        OBJECTIVES,
        "q_next = target.value(after)",
        "q_next = networks.value(after)",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "reward-range-of-the-minibatch",
        OBJECTIVES,
        "samples=len(phi), reward_range=batch.reward_range)",
        "samples=len(phi))",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "dr3-on-the-target-network",
        OBJECTIVES,
        "dr3_loss(phi, batch.alive[:, None] * networks.encoder(batch.x_next))",
        "dr3_loss(phi, after)",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "dbc-model-learns-from-ends",
        OBJECTIVES,
        "model_loss(mu, sigma, following, weights=batch.alive)",
        "model_loss(mu, sigma, following)",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "exploration-shrinks-the-determinant",
        OBJECTIVES,
        "loss + config.exploration * exploration_loss",
        "loss - config.exploration * exploration_loss",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "layernorm-before-relu",
        NETWORK,
        "if self.before else self.norm(torch.relu(wide))",
        "if self.before else torch.relu(self.norm(wide))",
        TEST_NETWORK,
    ),
    Mutation(
        "predictors-at-the-encoders-rate",
        NETWORK,
        '"M": config.predictor_learning_rate}',
        '"M": config.learning_rate}',
        TEST_NETWORK,
    ),
    Mutation(
        "no-weight-decay",
        NETWORK,
        "weight_decay=config.weight_decay, fused=fused or None",
        "fused=fused or None",
        TEST_NETWORK,
    ),
    Mutation(
        "the-same-minibatches-every-epoch",
        TRAINING,
        "np.random.default_rng([config.seed, epoch])",
        "np.random.default_rng([config.seed, 0])",
        (f"{TEST_TRAINING}::test_minibatches_cover_the_data_in_another_order_each_epoch",),
    ),
    Mutation(
        "resumed-without-moments",
        FOLDER,
        "if at.epochs:\n",
        "if at.epochs < 0:\n",
        (f"{TEST_TRAINING}::test_a_longer_run_extends_a_shorter_one",),
    ),
    Mutation(
        "tables-of-a-checkpoint-never-made",
        TRAINING,
        "    if at.rows:\n        write_tables(folder, bound, at)",
        "    if not at.rows:\n        write_tables(folder, bound, at)",
        (f"{TEST_TRAINING}::test_a_process_that_ends_right_after_a_checkpoint_leaves_nothing_out",),
    ),
    Mutation(
        "a-folder-takes-any-checkpoint",
        FOLDER,
        "if theirs != json.loads(json.dumps(bound)):",
        "if theirs.keys() != bound.keys():",
        (f"{TEST_TRAINING}::test_a_checkpoint_of_other_settings_and_a_broken_description",),
    ),
    Mutation(
        "fingerprint-without-rewards",
        TRAINING,
        "(data.pairs(), data.rewards, data.next_pairs(),",
        "(data.pairs(), data.next_pairs(),",
        (f"{TEST_TRAINING}::test_the_fingerprint_knows_every_number_that_counts",),
    ),
    Mutation(
        "next-features-past-the-end",
        TRAINING,
        "data.alive[:, None] * parts[1]",
        "parts[1]",
        (f"{TEST_TRAINING}::test_features_after_an_end_are_zero",),
    ),
    Mutation(
        "fqe-undiscounted", f"{LOSSES}/fqe.py", "r + gamma * q_next", "r + q_next", (f"{TEST_LOSSES}/test_fqe.py",)
    ),
    Mutation(
        "exploration-without-ridge",
        f"{LOSSES}/bcrl.py",
        "+ ridge * torch.eye",
        "+ 0 * torch.eye",
        (f"{TEST_LOSSES}/test_bcrl.py",),
    ),
    Mutation(
        "likelihood-without-its-logarithm",
        f"{LOSSES}/dbc.py",
        "error / (2 * sigma * sigma) + torch.log(sigma)",
        "error / (2 * sigma * sigma)",
        (f"{TEST_LOSSES}/test_dbc.py",),
    ),
    Mutation(
        "huber-without-its-half",
        f"{LOSSES}/regression.py",
        "error * error / 2, size - 0.5",
        "error * error, size - 0.5",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "a-zero-row-has-no-direction",
        f"{LOSSES}/geometry.py",
        "torch.where(length > 0, length, 1.0)",
        "length",
        (f"{TEST_LOSSES}/test_rope.py",),
    ),
    Mutation(
        "blocks-count-their-diagonal",
        f"{LOSSES}/by_blocks.py",
        "torch.triu(values, diagonal=1)",
        "torch.triu(values, diagonal=0)",
        (f"{TEST_LOSSES}/test_by_blocks.py",),
    ),
)

CONTROL_TRAINING = (*OF_EVALUATION, *OF_TRAINING)
