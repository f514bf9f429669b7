"""The report of the experiments: text, tables and figures."""
