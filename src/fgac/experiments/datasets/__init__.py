"""The data sets of the paper: reading and downloading."""
