"""From the state of a fitted model and some rows to explanations."""
