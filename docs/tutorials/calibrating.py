"""Tutorial: from measurements of your own pucks to odds, in four steps.

Run it as a script, or open it as a notebook: every `# %%` begins a cell.
"""

# %% [markdown]
# The model assumes how far pucks bounce and slide. A ruler replaces the assumption: drop a puck
# from 300 mm, and see how high it comes; tilt a board until a puck slides. The numbers below are
# made up.

# %%
from pathlib import Path

import pucklab
from pucklab.calibration.bench import (
    bench_constants,
    bench_parameters,
    bench_report,
    read_measurements,
)
from pucklab.calibration.parameter_files import parameter_file

measured = """\
measurement,drop_mm,rebound_mm,tilt_deg
drop,300,66,
drop,300,71,
drop,300,63,
drop,300,68,
tilt,,,17
tilt,,,19
tilt,,,18
"""
constants = bench_constants(read_measurements(measured, "my pucks"))

# %% [markdown]
# The report says what the measurements tell, how sure that is, and what they leave open.

# %%
print(bench_report(constants, "my pucks"))

# %% [markdown]
# A parameter file keeps the result, with its uncertainties.

# %%
Path("mine.toml").write_text(parameter_file(bench_parameters(constants, "my pucks")))

# %% [markdown]
# Every command and every function takes that file. Here are the odds of the default pucks and of
# yours, with the same throws.

# %%
for name, options in {"default": {}, "mine": {"params": "mine.toml"}}.items():
    odds = pucklab.odds(slammer_g=8, trials=60, **options)
    (flips,) = (found.flips for found in odds.odds.values())
    print(f"{name}: {flips.value:.2f} ± {flips.standard_error:.2f} flips per throw")
