"""Tables as users have them, and the rows of a metric space that they become."""
