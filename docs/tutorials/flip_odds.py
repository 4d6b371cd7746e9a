"""Tutorial: flip odds by slammer weight, in five steps.

Run it as a script, or open it as a notebook: every `# %%` begins a cell.
"""

# %% [markdown]
# Which slammer flips most? We throw slammers of 4 to 24 g at a stack of ten pucks.

# %%
import pucklab

TRIALS = 40  # enough to see the way it goes; 400 are the default

odds = pucklab.odds(slammer_g=range(4, 25, 4), trials=TRIALS)
print(odds)

# %% [markdown]
# The first line is the answer, and how sure it is. Trial i is the same throw for every slammer, so
# that slammers are compared throw by throw. The interval behind each chance says how far the throws
# so far can be trusted; `odds.belief` is about real pucks.

# %%
best = max(odds.rows, key=lambda row: odds.odds[row.name].any_flip.value)
chance = odds.odds[best.name].any_flip
print(f"{best.name} flips something in {chance.low:.0%} to {chance.high:.0%} of throws")

# %% [markdown]
# The figures are plain dictionaries, with the columns of the CSV file of `pucklab odds`. With
# pandas installed, `odds.to_pandas()` makes a table of them, and `odds.plot()` draws them with
# Matplotlib.

# %%
odds.to_csv("odds.csv")
for record in odds.records()[:3]:
    print(record["slammer"], record["flips_mean"], record["out_mean"])

# %% [markdown]
# A harder throw flips more with a light slammer, and throws more out of the box with a heavy one.

# %%
harder = pucklab.odds(slammer_g=(4, 20), speed_m_s=7, trials=TRIALS)
for row in harder.rows:
    found = harder.odds[row.name]
    print(f"{row.name}: {found.flips.value:.2f} flips, {found.outs.value:.2f} out")

# %% [markdown]
# A look at one throw. In a notebook, the last line of a cell is a player that turns with the mouse;
# `thrown.watch()` opens a window.

# %%
thrown = pucklab.slam(slammer="onix", seed=2, trial=28)
print(thrown)
thrown.save("slam.html")
