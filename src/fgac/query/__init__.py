"""The one query of the library: the largest ``value - gamma * distance``, and the rows that attain it."""
