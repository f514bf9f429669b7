"""Distances between rows, block by block."""
