"""Section 3.1, loss functions and their scaled forms L(phi(y), phi(y_hat))."""


def quantile_loss(p):
    """Equation (quantile loss): p |y - y_hat| if y > y_hat, else (1 - p) |y - y_hat|."""
    return lambda y, y_hat: (p if y - y_hat > 0 else 1 - p) * abs(y - y_hat)


def absolute_loss(y, y_hat):
    """Equation (MAE)."""
    return abs(y - y_hat)


def squared_loss(y, y_hat):
    """Equation (MSE)."""
    return (y - y_hat) ** 2


def scaled_loss(loss, isomorphism):
    """L_phi(y, y_hat) = L(phi(y), phi(y_hat))."""
    return lambda y, y_hat: loss(isomorphism.phi(y), isomorphism.phi(y_hat))


def total_loss(loss, observed, estimated):
    """The objective of the general problem: the sum of L(observed(u), estimated(u))."""
    return sum(loss(a, b) for a, b in zip(observed, estimated, strict=True))
