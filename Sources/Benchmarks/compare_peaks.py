"""Does an independent reader find the beats that the generator publishes?

    python3 Sources/Benchmarks/compare_peaks.py [PATH OF vitals-sim]

Writes 200 clean recordings of a minute as CSV, 45 to 150 bpm, and finds their peaks with NeuroKit2's MSPTDfast. Its
peaks are matched with the published beats within 150 ms, one constant delay taken out of each recording. Prints F1 of
the sum and of the worst recording, and fails where the sum is below 0.98. Needs: pip install neurokit2.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import neurokit2
import numpy

TOLERANCE = 0.150
GRID_HZ = 30
RECORDINGS = 200


def recording(tool, folder, seed, bpm):
    """The green light on a regular grid, in seconds, and the feet and peaks of its beats."""
    frames, truth = folder / "finger.csv", folder / "truth.jsonl"
    subprocess.run(
        [tool, "generate", "-o", frames, "--truth", truth, "--seed", str(seed), "--for", "60s",
         "--set", f"subject.heartRate={bpm:.2f} bpm"],
        check=True)
    with open(frames, newline="") as file:
        rows = list(csv.DictReader(file))
    times = numpy.array([float(row["time_ms"]) for row in rows]) / 1000
    green = numpy.array([float(row["green"]) for row in rows])
    grid = numpy.arange(times[0], times[-1], 1 / GRID_HZ)
    beats = [line for line in map(json.loads, open(truth)) if line.get("truth") == "beat"]
    # Brightness falls in systole.
    return grid, -numpy.interp(grid, times, green), numpy.array([beat["peak"] for beat in beats])


def hits(found, beats):
    """How many of the beats have a peak of their own, after the delay that suits most of them."""
    nearest = [found[numpy.argmin(abs(found - beat))] - beat for beat in beats]
    found = found - numpy.median(nearest)
    taken, count = set(), 0
    for beat in beats:
        index = int(numpy.argmin(abs(found - beat)))
        if abs(found[index] - beat) <= TOLERANCE and index not in taken:
            taken.add(index)
            count += 1
    return count


def main():
    tool = sys.argv[1] if len(sys.argv) > 1 else "./vitals-sim"
    total = numpy.zeros(3)
    worst = (1.0, "none")
    with tempfile.TemporaryDirectory() as folder:
        for index in range(RECORDINGS):
            bpm = 45 + 105 * index / (RECORDINGS - 1)
            grid, light, beats = recording(tool, pathlib.Path(folder), index + 1, bpm)
            peaks = neurokit2.ppg_findpeaks(light, sampling_rate=GRID_HZ, method="msptdfast")["PPG_Peaks"]
            found = grid[numpy.asarray(peaks, dtype=int)]
            # Neither may be judged where the other cannot be: a peak at the very ends has no two sides.
            beats = beats[(beats > grid[0] + 0.5) & (beats < grid[-1] - 0.5)]
            found = found[(found > grid[0] + 0.5 - TOLERANCE) & (found < grid[-1] - 0.5 + TOLERANCE)]
            count = hits(found, beats)
            f1 = 2 * count / (len(beats) + len(found))
            worst = min(worst, (f1, f"{bpm:.1f} bpm"))
            total += (count, len(beats), len(found))
    f1 = 2 * total[0] / (total[1] + total[2])
    print(f"{RECORDINGS} recordings, {int(total[1])} beats, {int(total[2])} peaks: F1 {f1:.4f}, "
          f"worst {worst[0]:.4f} at {worst[1]}")
    sys.exit(0 if f1 >= 0.98 else 1)


if __name__ == "__main__":
    main()
