"""The plane engine: a slam as rigid bodies in the vertical plane of its impact.

In: a scene and a throw. Out: the states of all pieces, stage by stage: `impact` strikes the stack,
`lift_off` and `flight_laws` send the pieces off in three dimensions, `settle` brings them to rest
and reads the outcomes. Only `world` touches Pymunk.
"""
