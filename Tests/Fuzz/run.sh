#!/usr/bin/env bash
# Tries everything that reads what oximeters send on inputs of libFuzzer's making:
#   Tests/Fuzz/run.sh [RUNS [TARGET...]]
# RUNS of each TARGET, ten million of all of them unless said otherwise; of the search, which listens with all decoders
# at once, a tenth. Says how many there were and what came of it.
# An input that breaks something is kept below .build/fuzz/found, and the exit code is 1. With FUZZ_ADDRESS=1 the
# address sanitizer watches as well.
set -euo pipefail
CDPATH='' cd -P -- "$(dirname -- "$0")/../.."
runs=${1:-10000000}
shift || true

build=.build/fuzz${FUZZ_ADDRESS:+-address}
nice swift build -c release --package-path Tests/Fuzz --scratch-path "$build" --product Fuzz >&2
fuzz=$build/release/Fuzz
found=$build/found
mkdir -p "$found"
[ "$#" != 0 ] || mapfile -t targets < <("$fuzz" --targets)
[ "$#" = 0 ] || targets=("$@")

corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
# A crash is meant to end the process at once, and a job that hangs must not hang its runner.
export SWIFT_BACKTRACE=enable=no
worst=0
for target in "${targets[@]}"; do
  mkdir -p "$corpus/$target"
  "$fuzz" "$target" --seeds "$corpus/$target"
  begun=$SECONDS
  wanted=$runs
  [ "$target" != search ] || wanted=$((runs / 10))
  result='nothing found'
  timeout -s KILL 7200 nice "$fuzz" "$target" -runs="$wanted" -seed=1 -max_len=120 -timeout=10 -rss_limit_mb=1024 \
    -print_final_stats=1 -verbosity=1 -artifact_prefix="$found/$target-" "$corpus/$target" >"$corpus/log" 2>&1 ||
    result="FAILED with $?"
  if [ "$result" != 'nothing found' ]; then
    worst=1
    tail -n 40 "$corpus/log" >&2
  fi
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$corpus/log")
  peak=$(sed -n 's/^stat::peak_rss_mb: *//p' "$corpus/log")
  printf '%-16s %11s runs %6d s %6s MB  %s\n' "$target" "${executed:-?}" $((SECONDS - begun)) "${peak:-?}" "$result"
done
exit "$worst"
