"""Frames as an animated GIF, or as an MP4 or WebM film with sound.

All take frames one after another, as pygame surfaces of one size, and return the whole file. The
first frame is held for a moment, and the last for longer, so that the result can be read. A GIF has
at most 1.5 GB of frames before it is packed, a film at most 36,000 frames: 20 minutes.
"""

import math
import tempfile
import wave
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import fields
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pygame
import pygame.image
from numpy.typing import NDArray
from pygame import Surface

from pucklab.base.errors import InputError, require_extra
from pucklab.base.files import check_writable, name_in_errors, write_whole
from pucklab.render.palette import Palette, Rgb

if TYPE_CHECKING:
    from PIL import Image

SOUND_HZ = 44_100
"""Samples of sound a second."""

_GIF_HOLD_MS = (500, 1500)
"""Times for which the first and the last frame of a GIF are shown."""

_GIF_BLENDS = 76
"""Colours of a GIF for smooth edges, besides those that are kept exactly."""

_MOST_GIF_BYTES = 1_500_000_000
"""Most bytes of a GIF's frames, which are all in memory at once, three bytes per pixel."""

_MOST_FILM_FRAMES = 36_000

FILM_HOLD_S = (0.3, 1.5)
"""Times for which the first and the last frame of a film are shown."""


_CODINGS = {
    # A rate factor (crf) of 0 loses nothing, 51 is the worst; 20 looks like 0.
    ".mp4": ("libx264", "aac", "-preset veryfast -crf 20 -movflags +faststart"),
    # Here 63 is the worst. The fastest setting but one: VP9 is slow.
    ".webm": (
        "libvpx-vp9",
        "libopus",
        "-deadline realtime -cpu-used 7 -row-mt 1 -crf 28 -b:v 0",
    ),
}
"""Codecs of the picture and the sound of a film, and options of ffmpeg for them, by suffix."""

FILM_SUFFIXES = (".gif", *_CODINGS)
"""Suffixes of films."""


def gif_bytes(
    frames: Iterable[Surface], fps: float, palette: Palette, more: Sequence[Rgb] = ()
) -> bytes:
    """Return frames as a GIF that loops.

    All frames share one set of colours, so that parts that do not move do not flicker.

    Args:
        frames: Surfaces of one size; it may be one surface, drawn again for every frame.
        fps: Frames a second, 1 to 50; a GIF counts whole hundredths of a second.
        palette: Colours that are kept exactly.
        more: Further colours that are kept exactly.

    Raises:
        MissingExtraError: Pillow is not installed.
        InputError: The frames are too many.
    """
    require_extra("plot", "PIL")
    from PIL import Image

    images: list[Image.Image] = []
    for frame in frames:
        width, height = frame.get_size()
        if 3 * width * height * len(images) > _MOST_GIF_BYTES:
            raise InputError(
                f"save: a GIF of more than {len(images)} such frames is not accepted; give an .mp4"
            )
        images.append(Image.frombytes("RGB", frame.get_size(), pygame.image.tobytes(frame, "RGB")))
    colours = [*(getattr(palette, field.name) for field in fields(palette)), *more]
    shared = _shared_palette(images, colours)
    first, *others = [image.quantize(palette=shared, dither=Image.Dither.NONE) for image in images]
    durations = [round(100 / fps) * 10] * len(images)
    durations[0], durations[-1] = _GIF_HOLD_MS
    data = BytesIO()
    first.save(
        data,
        format="GIF",
        save_all=True,
        append_images=others,
        duration=durations,
        loop=0,
        optimize=False,
    )
    return data.getvalue()


def _shared_palette(images: "Sequence[Image.Image]", colours: Sequence[Rgb]) -> "Image.Image":
    """Return an image with the palette of all frames: the exact colours, then blends of them."""
    from PIL import Image

    width, height = images[0].size
    picked = [images[len(images) * part // 4] for part in range(4)] + [images[-1]]
    sheet = Image.new("RGB", (width, height * len(picked)))
    for index, image in enumerate(picked):
        sheet.paste(image, (0, index * height))
    exact = list(dict.fromkeys(colours))
    blends = sheet.quantize(colors=_GIF_BLENDS, method=Image.Quantize.MEDIANCUT).getpalette() or []
    # Pillow looks colours up in steps of four, by the lowest corner of each step: a blend that is
    # nearer to that corner than the exact colour would replace it. Others may be as near as they
    # like, or faint shadows, whose colours are near the background's, would have bands.
    corners = [tuple(part // 4 * 4 for part in colour) for colour in exact]
    reaches = list(zip(corners, map(math.dist, corners, exact), strict=True))
    apart = [
        blend
        for blend in zip(blends[0::3], blends[1::3], blends[2::3], strict=True)
        if all(math.dist(blend, corner) > reach for corner, reach in reaches)
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in (*exact, *apart) for part in colour])
    return palette


def save_movie(
    path: Path,
    frames: Iterable[Surface],
    size: tuple[int, int],
    fps: float,
    palette: Palette,
    *,
    colours: Sequence[Rgb] = (),
    sound: Callable[[], NDArray[np.int16]] | None = None,
) -> None:
    """Write frames as the kind of film that the name asks for, whole or not at all.

    ``sound`` makes the sound of an MP4 or WebM film; a GIF keeps ``colours`` exactly.

    Raises:
        MissingExtraError: Pillow or imageio-ffmpeg is not installed.
        InputError: The frames are too many.
    """
    suffix = path.suffix.lower()
    with name_in_errors(path):
        if suffix == ".gif":
            data = gif_bytes(frames, fps, palette, colours)
        else:
            data = film_bytes(frames, size, fps, suffix, sound() if sound else None)
    write_whole(path, data)


def check_saved(suffixes: Sequence[str], field: str, path: Path) -> None:
    """Check, before any work is done, that a picture, film or page can be saved.

    Raises:
        InputError: The name ends in something else, or the file cannot be written.
        MissingExtraError: The package that writes such files is not installed.
    """
    check_writable(field, path, tuple(suffixes))
    suffix = path.suffix.lower()
    if suffix == ".gif":
        require_extra("plot", "PIL")
    elif suffix in FILM_SUFFIXES:
        require_extra("video", "imageio_ffmpeg")


def film_bytes(
    frames: Iterable[Surface],
    size: tuple[int, int],
    fps: float,
    suffix: str = ".mp4",
    sound: NDArray[np.int16] | None = None,
) -> bytes:
    """Return frames as a film: MP4 in H.264, which every browser shows, or WebM in VP9.

    Args:
        frames: Surfaces with 32 bits per pixel; it may be one surface, drawn again for every frame.
        size: Width and height of the frames in pixels, even numbers.
        fps: Frames a second.
        suffix: ``.mp4`` or ``.webm``.
        sound: Samples of both channels at `SOUND_HZ`, shape (N, 2), from the first frame on, with
            the time `FILM_HOLD_S` for which the last is held; None for a silent film.

    Raises:
        MissingExtraError: imageio-ffmpeg is not installed.
        InputError: The frames are too many.
        OSError: ffmpeg fails, as on a full disk.
    """
    require_extra("video", "imageio_ffmpeg")
    from imageio_ffmpeg import write_frames

    codec, audio_codec, options = _CODINGS[suffix]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"film{suffix}"
        if sound is not None:
            _write_wav(Path(folder) / "film.wav", sound, fps)
        coder = write_frames(
            str(path),
            size,
            fps=fps,
            pix_fmt_in="bgra",
            codec=codec,
            quality=None,
            macro_block_size=2,
            ffmpeg_log_level="error",
            audio_path=None if sound is None else str(Path(folder) / "film.wav"),
            audio_codec=None if sound is None else audio_codec,
            output_params=options.split(),
        )
        sent = 0
        try:
            with closing(coder):
                coder.send(None)
                for frame in _hold_ends(frames, fps):
                    coder.send(frame)
                    sent += 1
        except OSError as error:  # its message is ffmpeg's whole log
            raise OSError(f"ffmpeg failed after {sent} frames: {last_line(error)}") from None
        _check_film(path, sent)
        return path.read_bytes()


def _write_wav(path: Path, sound: NDArray[np.int16], fps: float) -> None:
    """Write sound as a WAV file, with silence while the first frame is held."""
    # The first frame is shown so many times in all.
    first = round(FILM_HOLD_S[0] * fps)
    held = np.zeros((round((first - 1) / fps * SOUND_HZ), 2), np.int16)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(SOUND_HZ)
        file.writeframes(np.concatenate((held, sound)).astype("<i2").tobytes())


def _hold_ends(frames: Iterable[Surface], fps: float) -> Iterator[bytes]:
    """Yield the pixels of frames; the first and the last are repeated to be held.

    Raises:
        InputError: The frames are too many.
    """
    frame = b""
    hold_first_s, hold_last_s = FILM_HOLD_S
    for index, surface in enumerate(frames):
        if index == _MOST_FILM_FRAMES:
            raise InputError(
                f"save: a film of more than {_MOST_FILM_FRAMES} frames is not accepted; give a "
                "part of it"
            )
        frame = surface.get_buffer().raw
        for _ in range(round(hold_first_s * fps) if index == 0 else 1):
            yield frame
    for _ in range(round(hold_last_s * fps)):
        yield frame


def _check_film(path: Path, frames: int) -> None:
    """Check that a film has all its frames: ffmpeg ends quietly where the disk is full.

    Raises:
        OSError: It has not.
    """
    from imageio_ffmpeg import count_frames_and_secs

    try:
        found, _ = count_frames_and_secs(str(path))
    except (OSError, RuntimeError) as error:
        raise OSError(f"ffmpeg failed: {last_line(error)}") from None
    if found != frames:
        raise OSError(f"ffmpeg wrote {found} of {frames} frames")


def last_line(error: Exception) -> str:
    """Return the last line of ffmpeg's log, or the first error if the log is empty."""
    reason, _, log = str(error).partition("FFMPEG STDERR OUTPUT:")
    first, *_ = [*reason.strip().splitlines(), "no reason given"]
    return (log.strip().splitlines() or [first])[-1].rstrip(": ")
