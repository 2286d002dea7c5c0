#!/usr/bin/env python3
"""Reads emulated oximeters with programs that nobody here wrote: pyserial opens the port, systole decodes nonin-df2 and
nonin-df7 and finds the pulse.

usage: pip install pyserial systole; Tests/PublicReaders/read_emulators.py .build/release/vitals-sim

Ends with 1 when one of them reads something else than is emulated.
"""

import os
import subprocess
import sys
import tempfile
import time

import numpy
import serial
from systole.detection import ppg_peaks
from systole.recording import Oximeter

BPM = 72
START_LIVE = bytes([0x7D, 0x81, 0xA1] + [0x80] * 6)
# Speed, parity, frames per second, bytes of a frame.
LINES = {
    "contec-v5": (19200, serial.PARITY_ODD, 60, 5),
    "contec-v7": (115200, serial.PARITY_NONE, 60, 9),
    "bci": (115200, serial.PARITY_NONE, 100, 5),
    "nonin-df2": (9600, serial.PARITY_NONE, 75, 5),
    "nonin-df7": (9600, serial.PARITY_NONE, 75, 5),
    "nonin-df8": (9600, serial.PARITY_NONE, 1, 4),
}


def emulate(program, protocol, *options):
    """Starts the emulator; gives the process and the port that it names."""
    setting = f"subject.heartRate={BPM}bpm"
    process = subprocess.Popen(
        [program, "emulate", protocol, "--set", setting, "--checks-speed", *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    return process, process.stdout.readline().strip()


def count_bytes(program, protocol, seconds=8):
    """Whether about as many bytes come as the protocol sends."""
    baud, parity, rate, length = LINES[protocol]
    process, name = emulate(program, protocol)
    try:
        with serial.Serial(name, baud, parity=parity, timeout=0.1) as port:
            port.write(START_LIVE)
            begin, count = time.monotonic(), 0
            while time.monotonic() - begin < seconds:
                count += len(port.read(4096))
    finally:
        process.terminate()
        process.wait()
    expected = seconds * rate * length
    print(f"{protocol}: pyserial reads {count} bytes in {seconds} s, {expected} are sent")
    return abs(count - expected) <= max(0.05 * expected, 2 * length)


def read_with_systole(program, protocol, data_format, seconds=25):
    """Whether systole finds the pulse rate that is emulated."""
    with tempfile.TemporaryDirectory() as folder:
        link = os.path.join(folder, "oximeter")
        process, name = emulate(program, protocol, "--link", link)
        try:
            with serial.Serial(name, 9600, timeout=1 / 75) as port:
                oximeter = Oximeter(serial=port, sfreq=75, add_channels=0, data_format=data_format)
                oximeter.setup()
                oximeter.read(seconds)
        finally:
            process.terminate()
            process.wait()
    # The first seconds are those of a search.
    wave = numpy.array(oximeter.recording[5 * 75 :])
    _, peaks = ppg_peaks(wave, sfreq=75)
    bpm = 60_000 / numpy.diff(numpy.where(peaks)[0]).mean()
    print(f"{protocol}: systole finds {bpm:.1f} bpm, {BPM} are emulated")
    return abs(bpm - BPM) <= 2


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    results = [count_bytes(sys.argv[1], protocol) for protocol in LINES]
    results += [read_with_systole(sys.argv[1], f"nonin-df{n}", str(n)) for n in (2, 7)]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
