"""The solid engine: slams of rigid discs with penalty contacts, in three dimensions.

In come a scene and a throw, out go an outcome and poses. Begin with `engine`, the slam from throw
to rest. `stepping` is its loop: broad phase, `narrow_phase`, `contact_laws`, `integrator`,
`sleeping`. `state` names the arrays, `settings` holds every choice with its source.
"""
