# Shared by run and nightly: runs suites and checks, counts what passed and failed, and notes how long it took.
export NO_COLOR=1 TMPDIR="${TMPDIR:-/tmp}"
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
passed=0
failed=0

# Counts what failed by name, and names it again at the end, where it is found.
fail() {
  failed=$((failed + 1))
  echo "$1" >>"$reports/failures"
}

# Notes how long something took since $1, a time of $SECONDS.
took() {
  printf '%4d s  %s\n' $((SECONDS - $1)) "$2" >>"$reports/times"
}

# Runs a command that is one check: it passes or fails as a whole.
check() {
  echo "== $*"
  local began=$SECONDS
  if "$@"; then passed=$((passed + 1)); else fail "$*"; fi
  took $began "$*"
}

# Installs a Debian package unless its command is there. The machine's own services must not start.
need() {
  local command=$1 began=$SECONDS
  shift
  if PATH="$PATH:/usr/sbin:$(echo /usr/lib/postgresql/*/bin)" command -v "$command" >/dev/null 2>&1; then return; fi
  echo "== installing $*"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq "$@" >/dev/null || fail "installing $*"
  took $began "installing $*"
}

# Runs a test command, notes its time, and ends with its status. In a shell of its own, whose processor time is the
# suite's: it says more than the clock on a machine with other work.
run_suite() (
  name=$1 status=0 began=$SECONDS
  shift
  TEST_REPORT="$reports/$name.json" bash -c "$*" || status=$?
  times >"$reports/$name.times"
  took $began "$name, of the processor: $(tail -1 "$reports/$name.times") (user, system)"
  exit $status
)

# Adds the counts of a suite that ended with this status; one that died before it reported counts as a failure.
count_suite() {
  local name=$1 status=$2
  if ! node .ci/count.mjs "$reports/$name.json" >"$reports/counts"; then
    fail "$name: no report (exit $status)"
    return
  fi
  read -r good bad <"$reports/counts"
  passed=$((passed + good))
  while read -r failure; do fail "$name: $failure"; done < <(tail -n +2 "$reports/counts")
  if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then fail "$name: exit $status"; fi
}

suite() {
  local name=$1 status=0
  shift
  echo "== $name: $*"
  run_suite "$name" "$@" || status=$?
  count_suite "$name" $status
}

# Prints the slowest tests, the times, what failed, and the line that counts.
finish() {
  echo "== the slowest tests"
  node .ci/slowest.mjs "$reports"/*.json
  echo "== times"
  cat "$reports/times"
  if [ "$failed" -ne 0 ]; then
    echo "== failed"
    cat "$reports/failures"
  fi
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
