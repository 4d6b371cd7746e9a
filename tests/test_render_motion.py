"""Places of pieces at any moment of a slam, and the pace at which it is shown."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pucklab.physics import (
    InputError,
    SampleRate,
    Throw,
    slam,
)
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.render.slams.export import film_times_s
from pucklab.render.slams.motion import moment_at, motion_of
from pucklab.render.slams.pace import Pace, later, slower_at
from pucklab.render.slams.space import count_so_far
from tests.recordedslams import SCENE, recorded, some_slam, thrown
from tests.scenes import fast_scene, trial_throw
from tests.tables import cases, toml

PACE = Pace()


def some_motion():
    return motion_of(SCENE, recorded(), thrown())


@pytest.mark.parametrize("sample", [0, 3, 10, 40, -1])
def test_at_a_sample_pieces_are_where_they_were_recorded_and_between_two_in_between(sample):
    poses = recorded().poses
    moment = moment_at(some_motion(), float(poses.time_s[sample]))
    assert moment.centre_mm == pytest.approx(poses.middle_mm[sample], abs=1e-6)
    assert moment.rotation[:, :, 2] == pytest.approx(poses.normal[sample], abs=1e-6)
    assert moment.face_up == tuple(poses.normal[sample, :, 2] > 0)
    between = moment_at(some_motion(), float(poses.time_s[4:6].mean()))
    assert between.centre_mm == pytest.approx(poses.middle_mm[4:6].mean(axis=0), abs=1e-6)


def test_a_recording_without_poses_turns_each_piece_in_the_plane_of_its_path():
    recording = replace(recorded(), poses=None)
    for sample in (0, 20, -1):
        moment = moment_at(motion_of(SCENE, recording), float(recording.time_s[sample]))
        assert moment.centre_mm[:, :2] == pytest.approx(recording.top_mm[sample])
        assert moment.rotation[:, 2, 2] == pytest.approx(np.cos(recording.angle_rad[sample]))


@pytest.mark.parametrize(("time_s", "end"), [(-5.0, False), (500.0, True)])
def test_before_the_beginning_and_after_the_end_nothing_moves(time_s, end):
    motion = some_motion()
    moment = moment_at(motion, time_s)
    assert moment.time_s == (motion.end_s if end else motion.start_s)
    assert moment.at_end is end


def test_the_slammer_comes_straight_on_at_the_speed_of_the_throw():
    motion = some_motion()
    first, contact = moment_at(motion, motion.start_s), moment_at(motion, 0.0)
    way_mm = contact.centre_mm - first.centre_mm
    fallen_mm = -way_mm[-1, 2]
    assert math.hypot(*way_mm[-1]) == pytest.approx(70.0)
    assert fallen_mm == pytest.approx(70.0 * math.cos(thrown().descent_rad))
    assert -motion.start_s == pytest.approx(70.0 / thrown().speed_mm_s)
    assert np.abs(way_mm[:-1]).max() < 1e-9  # the stack waits


def test_without_its_throw_a_recording_begins_at_the_contact():
    assert motion_of(SCENE, recorded()).start_s == recorded().time_s[0]


def test_a_path_from_above_is_kept_by_few_points():
    motion = some_motion()
    top = motion.poses.middle_mm * (1, 1, 0)
    for piece, path in enumerate(moment_at(motion, motion.end_s).paths_mm):
        assert path[0] == pytest.approx(top[0, piece])
        assert path[-1] == pytest.approx(top[-1, piece])
        assert len(path) < len(top) / 5
        for point in top[:, piece]:
            assert distance_mm(point, path) < 0.5


def distance_mm(point, path):
    """Return how far a point is from a path."""
    begin, way = path[:-1], np.diff(path, axis=0)
    length2 = np.maximum((way**2).sum(axis=1), 1e-12)
    share = np.clip(((point - begin) * way).sum(axis=1) / length2, 0.0, 1.0)
    nearest = begin + share[:, np.newaxis] * way
    return float(np.hypot(*(nearest - point).T).min())


@given(time_s=st.floats(-0.02, 2.0), slower=st.sampled_from([1.0, 2.0, 50.0, 500.0]))
def test_no_moment_is_shown_slower_than_the_impact_or_faster_than_the_rest(time_s, slower):
    pace = Pace(impact_slower=500.0, settle_slower=slower)
    shown = slower_at(pace, some_motion().impact_end_s, time_s)
    assert slower * 0.999 <= shown <= 500.0 * 1.001


@given(time_s=st.floats(-0.01, 1.0), parts=st.integers(2, 40))
def test_the_pace_does_not_depend_on_how_often_a_frame_is_drawn(time_s, parts):
    motion = some_motion()
    there = time_s
    for _ in range(parts):
        there = later(PACE, motion.impact_end_s, there, 0.3 / parts)
    assert there == pytest.approx(later(PACE, motion.impact_end_s, time_s, 0.3), rel=0.2, abs=2e-3)


def test_a_film_shows_the_impact_slowly_and_ends_with_the_recording():
    motion = some_motion()
    slowest = (
        slower_at(PACE, motion.impact_end_s, 0.0),
        slower_at(PACE, motion.impact_end_s, motion.impact_end_s),
    )
    assert slowest == (250.0, 250.0)
    assert 2.0 < slower_at(PACE, motion.impact_end_s, motion.start_s) < 250.0
    motion = motion_of(SCENE, recorded())
    times = film_times_s(motion, 25.0, PACE)
    steps = np.diff(times)
    assert times[0] == motion.start_s
    assert times[-1] == motion.end_s
    assert (steps > 0).all()
    assert steps[0] == pytest.approx(1 / (25 * 250))
    assert steps[:-1].max() == pytest.approx(1 / (25 * 2))


def test_a_throw_that_misses_is_shown_at_one_pace():
    throw = Throw(speed_mm_s=5000.0, aim_x_mm=60.0)
    recording = slam(SCENE, throw, SampleRate()).recording
    motion = motion_of(SCENE, recording, throw)
    assert (
        slower_at(PACE, motion.impact_end_s, 0.0)
        == slower_at(PACE, motion.impact_end_s, motion.end_s)
        == 2.0
    )


@cases(
    "facts name",
    """
    { impact_slower = 0.5 } => "impact_slower"
    { settle_slower = nan } => "settle_slower"
    { settle_slower = 0.0 } => "settle_slower"
    """,
    toml,
)
def test_a_pace_that_cannot_be_shown_is_not_accepted(facts, name):
    with pytest.raises(InputError, match=name):
        Pace(**facts)


@pytest.mark.parametrize("engine", ["plane", "solid"])
def test_no_piece_is_shown_below_the_floor_and_none_jumps(engine):
    """In a millisecond a piece moves about as far as the throw at most, and turns little."""
    scene = fast_scene(12.0, 6)
    half = np.array([piece.thickness_mm / 2 for piece in (*scene.stack, scene.slammer)])
    for trial in range(2):
        throw = trial_throw(6, 5, trial)
        recording = slam(scene, throw, SampleRate(), engine).recording
        motion = motion_of(scene, recording, throw)
        times = np.arange(motion.start_s, motion.end_s, 0.001).tolist()
        moments = [moment_at(motion, time_s) for time_s in times]
        normals = np.stack([moment.rotation[:, :, 2] for moment in moments])
        centres = np.stack([moment.centre_mm for moment in moments])
        up = np.abs(normals[:, :, 2])
        below = half * up + PIECE_RADIUS_MM * np.sqrt(np.maximum(1 - up**2, 0.0))
        assert (centres[:, :, 2] - below).min() > -1e-6
        steps = np.sqrt((np.diff(centres, axis=0) ** 2).sum(axis=2))
        assert steps.max() < 1.5 * throw.speed_mm_s / 1000
        turns = np.arccos(np.clip((normals[1:] * normals[:-1]).sum(axis=2), -1, 1))
        assert np.degrees(turns.max()) < 30


def test_flips_are_counted_as_their_pieces_come_to_rest_and_all_at_the_end():
    motion, outcome = some_motion(), some_slam().outcome
    times = np.linspace(motion.start_s, motion.end_s, 300).tolist()
    words = [count_so_far(moment_at(motion, time_s), outcome) for time_s in times]
    counts = [int(each.split()[0]) if each else 0 for each in words]
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert counts[-1] == len(outcome.flipped) > 0
    flying = [time_s for time_s, count in zip(times, counts, strict=True) if not count]
    assert flying[-1] > motion.impact_end_s


def test_a_piece_rests_from_when_it_stays_within_a_millimetre_of_its_final_place():
    motion = some_motion()
    poses = motion.poses
    for piece, rest_s in enumerate(motion.piece_rest_s.tolist()):
        moved = np.abs(poses.middle_mm[:, piece] - poses.middle_mm[-1, piece]).max(axis=1)
        turned = PIECE_RADIUS_MM * np.abs(poses.normal[:, piece] - poses.normal[-1, piece]).max(
            axis=1
        )
        after = poses.time_s >= rest_s
        assert max(moved[after].max(), turned[after].max()) <= 1.0
        if not after.all():
            last = np.flatnonzero(~after)[-1]
            assert max(moved[last], turned[last]) > 0.5
    assert motion.piece_rest_s.max() == pytest.approx(motion.rest_s)


def test_a_piece_that_only_tilts_rests_when_it_lies_as_at_the_end():
    poses = recorded().poses
    still = replace(poses, middle_mm=np.repeat(poses.middle_mm[-1:], len(poses.time_s), axis=0))
    motion = motion_of(SCENE, replace(recorded(), poses=still))
    rim_mm = PIECE_RADIUS_MM * np.linalg.norm(poses.normal - poses.normal[-1], axis=2)
    tilting_s = (poses.time_s[:, np.newaxis] * (rim_mm > 1.0)).max(axis=0)
    assert (motion.piece_rest_s >= tilting_s).all()
    assert tilting_s.max() > 0.05
