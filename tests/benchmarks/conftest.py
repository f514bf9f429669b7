"""The scripts of benchmarks are modules that find each other by their folder."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
