"""The methods that are compared, as published and as we would compare them."""
