from .proof import Proof as Proof
from .proof import check_certificate as check_certificate
from .proof import load_certificate as load_certificate
from .search import find_certificate as find_certificate

__all__ = ["Proof", "check_certificate", "find_certificate", "load_certificate"]
