"""What is said about predictions and training rows, as frozen values."""
