#!/usr/bin/env bash
# Lets public packages read the virtual oximeters: installs them from PyPI into an environment of their own, which is
# kept, and runs compare.py. Takes three minutes, for the devices play in real time. PYTHON names another python3, of
# version 3.11 to 3.14.
set -euo pipefail
CDPATH='' cd -P -- "$(dirname -- "$0")/../.."
environment=.build/public-readers
if ! [ -x "$environment/bin/python" ]; then
  "${PYTHON:-python3}" -m venv "$environment"
fi
"$environment/bin/pip" install --quiet --disable-pip-version-check systole==0.3.1 nonin==0.2.4 berry-oximeter==0.0.3
# Built beforehand, so that no reader waits for it.
./vitals-sim version >/dev/null
"$environment/bin/python" Tests/PublicReaders/compare.py ./vitals-sim
