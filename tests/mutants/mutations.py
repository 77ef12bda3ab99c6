"""Every mutation, in the order in which they run."""

from tests.mutants.in_app import APP
from tests.mutants.in_certificates import CERTIFICATES
from tests.mutants.in_closed_form import CLOSED_FORM
from tests.mutants.in_control_data import CONTROL_DATA
from tests.mutants.in_control_training import CONTROL_TRAINING
from tests.mutants.in_data import DATA
from tests.mutants.in_estimation import ESTIMATION
from tests.mutants.in_evaluation import EVALUATION
from tests.mutants.in_exact import EXACT
from tests.mutants.in_formal import FORMAL
from tests.mutants.in_interop import INTEROP, OFFLINE_EVALUATION
from tests.mutants.in_kernels import KERNELS
from tests.mutants.in_laboratory import LABORATORY
from tests.mutants.in_learning import LEARNING
from tests.mutants.in_matrix_claims import MATRIX_CLAIMS
from tests.mutants.in_measures import MEASURES_AND_METRICS
from tests.mutants.in_models import MODELS
from tests.mutants.in_neighbors import NEIGHBORS
from tests.mutants.in_pages import PAGES_OF_REPORTS
from tests.mutants.in_proofs import PROOFS
from tests.mutants.in_public_code import PUBLIC_CODE
from tests.mutants.in_report import REPORT
from tests.mutants.in_small_model import SMALL_MODEL
from tests.mutants.in_sweeps import SWEEPS
from tests.mutants.mutation import Mutation

MUTATIONS: tuple[Mutation, ...] = (
    *KERNELS,
    *NEIGHBORS,
    *EVALUATION,
    *CLOSED_FORM,
    *ESTIMATION,
    *EXACT,
    *MODELS,
    *MEASURES_AND_METRICS,
    *DATA,
    *REPORT,
    *INTEROP,
    *OFFLINE_EVALUATION,
    *SWEEPS,
    *LEARNING,
    *CONTROL_TRAINING,
    *PUBLIC_CODE,
    *CONTROL_DATA,
    *PROOFS,
    *CERTIFICATES,
    *FORMAL,
    *SMALL_MODEL,
    *LABORATORY,
    *APP,
    *PAGES_OF_REPORTS,
    *MATRIX_CLAIMS,
)
