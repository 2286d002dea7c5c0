"""How do the toolkits of the field read the same windows?

    .build/release/Benchmarks accuracy FOLDER... --json accuracy.json
    python3 Sources/Benchmarks/compare_toolkits.py accuracy.json

Reads the windows, the references and our own answers from the JSON, runs NeuroKit2 and HeartPy on the same frames, and
prints one table for each set: answered of all, mean absolute error and, in brackets, the largest. Needs: pip install
neurokit2 heartpy. Run it where the JSON was made, for it names the files as they were given.

Each toolkit is called as its documentation shows: NeuroKit2 at 30 Hz, the cameras' rate, with its own filter, and
HeartPy at 240 Hz, for it times beats by whole samples, behind its own band-pass of 0.7 to 3.5 Hz. They get the colour
with the largest share of its power at the reference's own heart rate, which helps them and which no reader can know.
The heart rate is 60 over the mean interval, or the toolkit's own. It takes a few minutes.
"""

import csv
import functools
import json
import sys
import warnings

MEASURES = {"heartRateBpm": "heart rate, bpm", "rmssdMs": "RMSSD, ms", "sdnnMs": "SDNN, ms",
            "breathingRatePerMin": "breathing rate, /min"}

try:
    import numpy
    import scipy.interpolate
    import scipy.signal
    import neurokit2
    import heartpy
except ImportError as missing:
    sys.exit(f"{missing.name} is not installed: python3 -m pip install neurokit2 heartpy")


@functools.lru_cache(maxsize=4)
def frames_of(path):
    """Times in seconds from the first frame on and the three colours; without a time column, 30 frames a second."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.reader(file))
    names = [name.strip().lower() for name in rows[0]]
    values = numpy.array([[float(cell) for cell in row] for row in rows[1:] if row])
    colours = values[:, [names.index(name) for name in "rgb"]]
    if "time" in names:
        times = values[:, names.index("time")] / 1000
    else:
        times = numpy.arange(len(values)) / 30
    return times - times[0], colours


def light_of(window, rate_hz):
    """The colour with the largest share of power at the pulse rate, on a regular grid and rising in systole."""
    times, colours = frames_of(window["file"])
    part = slice(window["firstFrame"], window["firstFrame"] + window["frames"])
    times, colours = times[part], colours[part]
    forward = numpy.concatenate(([True], times[1:] > numpy.maximum.accumulate(times)[:-1]))
    times, colours = times[forward], colours[forward]
    even = numpy.arange(times[0], times[-1], 1 / 30)
    pulse = window["pairs"].get("heartRateBpm", {}).get("reference")
    shares = []
    for colour in colours.T:
        frequency, density = scipy.signal.welch(
            numpy.interp(even, times, colour), 30, nperseg=min(len(even), 512), detrend="linear")
        band = (frequency >= 0.5) & (frequency <= 6)
        at_pulse = abs(frequency - pulse / 60) <= 0.15 if pulse else band & (frequency <= 3.6)
        # A colour that is all zero, as green is in some recordings, has no share in anything.
        shares.append(density[at_pulse].sum() / density[band].sum() if density[band].sum() > 1e-9 else 0)
    colour = colours[:, int(numpy.argmax(shares))]
    return -scipy.interpolate.PchipInterpolator(times, colour)(numpy.arange(times[0], times[-1], 1 / rate_hz))


def of_intervals(intervals):
    """The measures of intervals in milliseconds."""
    return {"heartRateBpm": 60000 / intervals.mean(), "sdnnMs": intervals.std(ddof=1),
            "rmssdMs": numpy.sqrt(numpy.mean(numpy.diff(intervals) ** 2))}


def neurokit(window, method):
    light = light_of(window, 30)
    clean = neurokit2.ppg_clean(light, sampling_rate=30)
    _, found = neurokit2.ppg_peaks(clean, sampling_rate=30, method=method)
    peaks = numpy.asarray(found["PPG_Peaks"], dtype=int)
    answer = of_intervals(numpy.diff(peaks) * 1000 / 30)
    rate = neurokit2.signal_rate(peaks, sampling_rate=30, desired_length=len(light))
    breath = neurokit2.ecg_rsp(rate, sampling_rate=30)
    _, breaths = neurokit2.rsp_peaks(neurokit2.rsp_clean(breath, sampling_rate=30), sampling_rate=30)
    troughs = numpy.asarray(breaths["RSP_Troughs"])
    if len(troughs) > 2:
        answer["breathingRatePerMin"] = 60 * 30 / numpy.mean(numpy.diff(troughs))
    return answer


def heartpy_clean(window):
    light = heartpy.filter_signal(light_of(window, 240), cutoff=[0.7, 3.5], sample_rate=240, order=3,
                                  filtertype="bandpass")
    _, found = heartpy.process(light, 240, clean_rr=True)
    return {"heartRateBpm": found["bpm"], "rmssdMs": found["rmssd"], "sdnnMs": found["sdnn"],
            "breathingRatePerMin": 60 * found["breathingrate"]}


TOOLKITS = {
    f"NeuroKit2 {neurokit2.__version__}, MSPTDfast": lambda window: neurokit(window, "msptdfast"),
    f"NeuroKit2 {neurokit2.__version__}, defaults": lambda window: neurokit(window, "elgendi"),
    f"HeartPy {heartpy.__version__.split()[-1]}, clean_rr": heartpy_clean,
}


def answers_of(toolkit, windows):
    """What a toolkit says of each window; nothing where it fails, as it does on what it cannot read."""
    answers = []
    for window in windows:
        try:
            answers.append(toolkit(window))
        except Exception:
            answers.append({})
    return answers


def summary(windows, answers, measure):
    """Answered of all, the mean absolute error and the largest."""
    pairs = [(answer.get(measure), window["pairs"][measure]["reference"])
             for window, answer in zip(windows, answers) if measure in window["pairs"]]
    errors = [abs(measured - reference) for measured, reference in pairs
              if measured is not None and numpy.isfinite(measured)]
    if not errors:
        return f"- (0 of {len(pairs)})"
    return f"{numpy.mean(errors):.2f} ({max(errors):.1f}; {len(errors)} of {len(pairs)})"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 compare_toolkits.py FILE, written by Benchmarks accuracy FOLDER... --json FILE")
    with open(sys.argv[1]) as file:
        document = json.load(file)
    warnings.simplefilter("ignore")
    numpy.seterr(all="ignore")
    for scored in document["sets"]:
        for part in ("whole", "window"):
            windows = [window for window in scored["windows"] if window["part"] == part]
            measures = [name for name in MEASURES if any(name in window["pairs"] for window in windows)]
            if not measures:
                continue
            ours = [{name: pair.get("measured") for name, pair in window["pairs"].items()} for window in windows]
            rows = [("this tool", ours)] + [(name, answers_of(run, windows)) for name, run in TOOLKITS.items()]
            kind = {"whole": "whole records"}.get(part, f"windows of {document['windowS']:g} s")
            print(f"\n{scored['name']}, {kind}: MAE (largest; answered)\n")
            print("| | " + " | ".join(MEASURES[name] for name in measures) + " |")
            print("|---" * (len(measures) + 1) + "|")
            for name, answers in rows:
                print(f"| {name} | " + " | ".join(summary(windows, answers, measure) for measure in measures) + " |")


if __name__ == "__main__":
    main()
