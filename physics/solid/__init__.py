"""The solid engine: slams of rigid discs on springs, in three dimensions.

In come a scene and a throw, out go an outcome and poses. Begin with `physics.solid.engine`, the
slam from throw to rest; `windows` is its scheduler, `contacts` and `forces` its contact law, `rest`
says when a slam is over, `settings` holds every choice with its source.
"""
