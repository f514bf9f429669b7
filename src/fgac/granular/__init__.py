"""The paper's training problem and its prediction, on arrays: no scikit-learn here."""
