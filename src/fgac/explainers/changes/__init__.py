"""What would change a prediction: the question, the values that columns may take, and the search for small changes."""
