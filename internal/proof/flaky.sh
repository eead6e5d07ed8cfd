#!/usr/bin/env bash
# Runs every test N times in shuffled order, first on the idle machine and then next to LOAD busy processes. It prints each
# failure and a summary, and fails if there is any. The full output is in .bin/flaky-idle.log and .bin/flaky-load.log.
#
#	flaky.sh N LOAD
set -uo pipefail
cd "$(dirname "$0")/../.."
runs=$1 load=$2 failed=0
mkdir -p .bin

hunt() { # name
	local log=.bin/flaky-$1.log
	make -k test COUNT="$runs" >"$log" 2>&1
	local failures
	failures=$(grep -cE '^\s*--- FAIL|^FAIL|^panic:|DATA RACE' "$log")
	echo "flaky: $1: $(grep -cE '^ok' "$log") packages passed $runs runs, $failures lines of failures ($log)"
	grep -E '^\s*--- FAIL|^FAIL|^panic:|DATA RACE|-test.shuffle' "$log" | sort | uniq -c | sort -rn | head -40
	[ "$failures" -eq 0 ] || failed=1
}

hunt idle
busy=()
trap 'kill "${busy[@]}" 2>/dev/null' EXIT
for _ in $(seq "$load"); do
	sh -c 'while :; do :; done' &
	busy+=($!)
done
hunt load
exit $failed
