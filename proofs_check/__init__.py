"""The theorem laboratory: statements about KROPE as values, judged on instances, with proofs checked step by step.

>>> import proofs_check as pc
>>> verdict = pc.check("lemma-value-bound", examples=10)
>>> verdict.outcome, verdict.evidence, verdict.first_false_step
('refuted', 'witness', 'last-equality')
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
