"""``pucklab calibrate bench``: restitution and friction from measurements with a ruler."""

import click

from pucklab.calibration.bench import (
    bench_constants,
    bench_parameters,
    bench_report,
    read_measurements,
)
from pucklab.cli.calibrate.frame import Outputs, fit_options
from pucklab.render.plots.calibration import bench_panels, fit_figure


@click.command("bench")
@fit_options("the residuals", example="bench")
def command(*, text: str, name: str, outputs: Outputs) -> int:
    """Estimate restitution and friction from measurements with a ruler.

    FILE.csv has a row per measurement. Its kind in the column 'measurement' decides which other
    columns are filled in; give at least three repeats of a kind:

    \b
      drop   drop_mm, rebound_mm   height of a flat drop, and of the bounce
      slide  speed_m_s, slide_mm   initial speed, and length of the slide
      ramp   ramp_mm, run_mm       height of the start on a ramp; distance along the floor
                                   from below the start to the point of rest
      tilt   tilt_deg              slope on which it keeps sliding once it is tapped

    Lines that begin with # are ignored; the column 'note' is free for remarks.

    \b
    Examples:
      pucklab calibrate bench --example > bench.csv
      pucklab calibrate bench bench.csv --out bench.toml --report bench.txt --plot bench.png
      pucklab odds --params bench.toml
    """
    constants = bench_constants(read_measurements(text, name))
    return outputs.write(
        bench_report(constants, name),
        bench_parameters(constants, name),
        fit_figure,
        bench_panels(constants),
        title=f"Bench measurements of {name}",
    )
