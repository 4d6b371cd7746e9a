"""Games and statistics on the outcomes of slams, and the command line."""
