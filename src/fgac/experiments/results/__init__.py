"""Results beside the published ones: tables, statistics, studies."""
