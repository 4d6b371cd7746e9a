"""``pucklab calibrate bench``: restitution and friction from a ruler's measurements."""

from pathlib import Path

import click

from sim.cli.calibrate.files import example_option, output_options


@click.command("bench")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.csv")
@output_options("the residuals")
@example_option("bench")
def command(*, file: Path, out: Path | None, report: Path | None, plot: Path | None) -> int:
    """Find restitution and friction from measurements with a ruler.

    FILE.csv has a row per measurement. Its column 'measurement' says of which kind it is, and so
    which other columns are filled in; give at least three repeats of a kind:

    \b
      drop   drop_mm, rebound_mm   dropped flat, and how high it bounced
      slide  speed_m_s, slide_mm   slid with a known speed, and how far
      ramp   ramp_mm, run_mm       let go at this height on a ramp; how far it came, along
                                   the floor, from below the start to where it stopped
      tilt   tilt_deg              slope on which it goes on sliding once it is tapped

    Lines that begin with # are passed over; a column 'note' is yours.

    \b
    Examples:
      pucklab calibrate bench --example > bench.csv
      pucklab calibrate bench bench.csv --out bench.toml --report bench.txt --plot bench.png
      pucklab odds --params bench.toml
    """
    from calibration.bench import bench_constants, bench_parameters, bench_report, read_measurements
    from calibration.parameterwriter import parameter_file
    from sim.cli.calibrate.files import check_outputs, write_outputs
    from sim.files import read_text

    check_outputs(out, report, plot)
    measurements = read_measurements(read_text("file", file), str(file))
    constants = bench_constants(measurements)
    told = bench_report(constants, file.name)
    click.echo(told, nl=False)
    picture = None
    if plot is not None:
        from render.fit_plot import bench_panels, fit_plot

        picture = fit_plot(bench_panels(constants), title=f"Bench measurements of {file.name}")
    parameters = parameter_file(
        bench_parameters(constants, file.name), "Written by pucklab calibrate bench."
    )
    write_outputs((out, parameters.encode()), (report, told.encode()), (plot, picture))
    return 0
