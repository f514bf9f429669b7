"""Running the experiments, and keeping what is done."""
