"""Do readers that nobody here wrote read the virtual oximeters?

    python3 Tests/PublicReaders/compare.py [PATH OF vitals-sim]

Each row plays one protocol on a pseudo-terminal in real time and lets a public package read it there: systole and nonin
for Nonin's formats, berry-oximeter for bci. What they say is held against what the finger and the device were set to.
PyPI has none that reads the other protocols from a serial port. Exit codes: 0 all agree, 1 one does not, 3 a package or
the program is missing. run.sh installs the packages.
"""

import importlib
import pathlib
import subprocess
import sys
import tempfile
import time

import serial

SECONDS = 30
# The device searches for the pulse at first.
SETTLING = 12
HEART_RATE_BPM = 72
SPO2_PERCENT = 97


class Emulator:
    """A virtual oximeter that plays until the block is left."""

    def __init__(self, tool, protocol):
        self.command = [
            tool, "emulate", protocol, "--for", f"{SETTLING + SECONDS + 20}s", "--seed", "1",
            "--spo2", str(SPO2_PERCENT), "--set", f"subject.heartRate={HEART_RATE_BPM} bpm",
            "--set", "subject.rmssd=20 ms",
        ]

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        port = pathlib.Path(self.folder.name) / "oximeter"
        self.process = subprocess.Popen(
            [*self.command, "--link", port], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 20
        while not port.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                raise RuntimeError(f"emulate gives no port: {self.process.communicate()[1].strip()}")
            time.sleep(0.05)
        return str(port)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()
        self.folder.cleanup()


def settled(port, baud):
    """The port once the device has found the pulse, with nothing left in it of before."""
    line = serial.Serial(port, baud, timeout=2)
    deadline = time.monotonic() + SETTLING
    while time.monotonic() < deadline:
        line.read(max(1, line.in_waiting))
    line.reset_input_buffer()
    return line


def systole_reads(data_format):
    """The class for Nonin devices of systole, which finds the beats in the wave by itself."""
    recording = importlib.import_module("systole.recording")

    def read(port):
        oximeter = recording.Oximeter(settled(port, 9600), sfreq=75, data_format=data_format)
        oximeter.setup()
        before = len(oximeter.recording)
        oximeter.read(duration=SECONDS)
        count = len(oximeter.recording) - before
        oximeter.find_peaks()
        return {
            "samples/s": (count / SECONDS, 75, 1),
            "bpm": (60_000 / oximeter.rr.mean(), HEART_RATE_BPM, 1.5),
        }

    return read


def nonin_reads():
    """The reader for an Xpod of the package nonin. It wants a port with a USB id, which a pseudo-terminal has not; it
    is given its port by hand."""
    device = importlib.import_module("nonin.device")

    def read(port):
        reader = device.Nonin.__new__(device.Nonin)
        reader.serial = settled(port, 9600)
        reader.packet_count = reader.frame_count = 0
        rows = []
        begun = time.monotonic()
        while time.monotonic() - begun < SECONDS:
            rows.append(reader.read())
        marks = [row["Perfusion Amplitude"] > 0 for row in rows]
        beats = sum(now and not before for before, now in zip(marks, marks[1:]))
        faults = sum(row["Sensor Alarm"] + row["Out Of Track"] + row["Sensor disconnect"] for row in rows)
        return {
            "samples/s": (len(rows) / SECONDS, 75, 1),
            "packets/s": (reader.packet_count / SECONDS, 3, 0.1),
            "bpm of the marks": (beats * 60 / SECONDS, HEART_RATE_BPM, 2.5),
            "faults": (faults, 0, 0),
        }

    return read


def berry_reads():
    """The parser of berry-oximeter, whose own transport is Bluetooth."""
    parser_class = importlib.import_module("berry_oximeter.parser").BCIProtocolParser

    def read(port):
        line, parser, readings = settled(port, 115_200), parser_class(), []
        begun = time.monotonic()
        while time.monotonic() - begun < SECONDS:
            readings += parser.add_data(line.read(max(1, line.in_waiting)))
        beats = sum(now.pulse_beep and not before.pulse_beep for before, now in zip(readings, readings[1:]))
        rates = [reading.pulse_rate for reading in readings if reading.status == "reading"]
        return {
            "samples/s": (len(readings) / SECONDS, 100, 1),
            "usable": (len(rates) / len(readings), 1, 0.01),
            "bpm": (sum(rates) / len(rates), HEART_RATE_BPM, 2),
            "bpm of the marks": (beats * 60 / SECONDS, HEART_RATE_BPM, 2.5),
            "SpO2": (sum(reading.spo2 for reading in readings) / len(readings), SPO2_PERCENT, 0.5),
        }

    return read


ROWS = [
    ("nonin-df2", "systole", lambda: systole_reads("2")),
    ("nonin-df7", "systole", lambda: systole_reads("7")),
    ("nonin-df2", "nonin", nonin_reads),
    ("bci", "berry-oximeter", berry_reads),
]


def main():
    tool = sys.argv[1] if len(sys.argv) > 1 else "./vitals-sim"
    worst = 0
    for protocol, package, reader in ROWS:
        try:
            read = reader()
            with Emulator(tool, protocol) as port:
                figures = read(port)
        except (ImportError, OSError, RuntimeError) as problem:
            print(f"{protocol:<10} {package:<15} blocked: {problem}")
            worst = max(worst, 3)
            continue
        for name, (value, truth, tolerance) in figures.items():
            agrees = abs(value - truth) <= tolerance
            worst = worst or int(not agrees)
            print(f"{protocol:<10} {package:<15} {name:<17} {value:8.2f}  {truth} ± {tolerance}  "
                  f"{'agrees' if agrees else 'DIFFERS'}")
    return worst


if __name__ == "__main__":
    sys.exit(main())
