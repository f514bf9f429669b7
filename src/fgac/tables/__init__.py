"""Tables as users have them, and the rows of a metric space that they become.

What is read: ``containers`` (what users hand over, made ready or refused), ``frames`` (pandas, polars and Arrow tables,
arrays), ``column_values`` (one column that has been read), ``labels`` (class labels and ids), ``targets`` (numbers to
predict), ``class_order`` (ordered classes).

What fit decides: ``table`` (a whole table), ``columns`` (one column: scale, ranks, categories), ``roles`` (which
columns are categorical), ``feature_settings`` (weights and directions that the user gives), ``learned_weights``
(weights found by a random forest).

What else is about rows: ``training_rows`` (those of positive weight), ``splits`` (folds and samples), ``validation``
(checks of parameters, labels, distances and weights).
"""
