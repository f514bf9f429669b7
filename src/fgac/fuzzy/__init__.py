"""The paper's mathematics as parts: connectives, relations, ordered weighted averages, rough sets."""
