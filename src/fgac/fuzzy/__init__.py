"""The paper's mathematics as parts that can be used on their own; degrees are numbers in [0, 1], or arrays of them.

``connectives``
    "And", "if ... then" and "not": residual triplets of t-norms (``t_norms``) on other scales (``isomorphisms``).
``relations``
    How far one row is similar to another, or at least as good. ``relation_base`` says what a relation is,
    ``relation_properties`` whether it is reflexive, symmetric, transitive.
``owa``
    Ordered weighted averages: maxima and minima that the next values soften.
``roughsets``
    Lower and upper approximations of a fuzzy set, and the granules it is made of.
"""
