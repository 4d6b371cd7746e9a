"""PokéPucks: the slammers of the PuckDex."""
