"""Choosing gamma and measuring models on rows that were held out."""
