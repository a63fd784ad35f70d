# shellcheck shell=bash
# What `.ci/run` and `.ci/long` share: steps that are counted, watched and bounded in time, and tests that cannot pass
# without having run. Sourced from the root of the repository.
#
# Who sources this may set `budget` (seconds for all steps together) and `excused` (see `skip`) before the first step.

# With `pipefail` no `grep -q` stands behind a pipe: it leaves early, and whoever writes to it fails.
set -uo pipefail
# Many tests panic; a trace of each would take longer than they do.
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 RUST_BACKTRACE=0

rows=() passed=0 failed=0 skipped=0
log=$(mktemp) telling=$(mktemp)
trap 'rm -f "$log" "$log.times" "$telling"' EXIT

# note NAME SECONDS RESULT [PROCESSOR SECONDS]: a row of the table at the end.
note() {
  rows+=("$(printf '%5d s  %5d s  %-34s %s' "$2" "${4:-0}" "$1" "$3")")
}

# processor: the seconds of processor time that all commands so far took together, in $processed. It is what a step costs
# wherever others use the machine too.
processor() {
  times >"$log.times"
  processed=$(awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4) }' "$log.times")
}

# bounded SECONDS COMMAND…: runs the command, or ends it and all that it started. Its output is shown and kept in $log.
bounded() {
  local bound=$1 left=$((${budget:-86400} - SECONDS))
  shift
  [ "$left" -gt 0 ] || return 124
  [ "$bound" -lt "$left" ] || bound=$left
  timeout --kill-after=30 "$bound" bash -c '"$@"' step "$@" </dev/null 2>&1 | tee "$log"
}

# hung: the tests that libtest named as slow and that never ended.
hung() {
  sed -n 's/.*test \(.*\) has been running for over .*/\1/p' "$log" | sort -u | while read -r name; do
    grep -qF "test $name ... " "$log" || printf ' %s' "$name"
  done
}

# step NAME SECONDS COMMAND…: runs it and notes how it went. Where the command is a function of the caller, that
# is exported. Further checks of the output may be named in `after`.
step() {
  local name=$1 bound=$2 begin=$SECONDS status=0 why before
  shift 2
  processor
  before=$processed
  printf '\n=== %s: %s\n' "$name" "$*"
  : >"$log"
  bounded "$bound" "$@" || status=$?
  why="ended with $status"
  if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
    why="ended by the watchdog after $((SECONDS - begin)) s; not over:$(hung)"
  elif [ "$status" -eq 0 ] && [ -n "${after:-}" ]; then
    why=$("$after" "$@") || status=1
  fi
  processor
  if [ "$status" -eq 0 ]; then
    passed=$((passed + 1))
    note "$name" $((SECONDS - begin)) passed $((processed - before))
    printf -- '--- %s passed, in %d s\n' "$name" $((SECONDS - begin))
  else
    failed=$((failed + 1))
    note "$name" $((SECONDS - begin)) "FAILED: $why" $((processed - before))
    printf '!!! %s FAILED: %s\n' "$name" "$why"
    tell "$name" >>"$telling"
  fi
  return "$status"
}

# tell NAME: of the output of a step that failed, what may say why: the lines that look like it and the last ones. The
# summary repeats it.
tell() {
  printf '\n--- %s\n' "$1"
  grep -E '^error|panicked at| FAILED$|^Error|FAILED:|timed out' "$log" | head -n 20 | cut -c 1-300
  echo ...
  tail -n 12 "$log" | cut -c 1-300
}

# tests NAME SECONDS COMMAND…: a step that runs tests. It fails if none ran, or if a word after `--` (a part of the
# name of a test to run or, after `--skip`, not to run) is in no test's name: such a word would check nothing.
tests() {
  local after=ran_tests
  step "$@"
}

# ran_tests COMMAND…: whether the tests in $log ran that the words of the command ask for; if not, says why.
ran_tests() {
  local command=() word skipping=no listed
  if [ "$(grep -o 'test result: ok\. [0-9]* passed' "$log" | awk '{ n += $4 } END { print n + 0 }')" -eq 0 ]; then
    echo "no test ran"
    return 1
  fi
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    command+=("$1")
    shift
  done
  for word; do
    case $skipping$word in
    *--skip) skipping=yes ;;
    no-*) ;;
    yes*)
      skipping=no
      listed=${listed:-$("${command[@]}" -- --list 2>/dev/null)}
      grep "$word.*: test$" <<<"$listed" >/dev/null && continue
      echo "--skip $word: there is no such test"
      return 1
      ;;
    *)
      # Where schedules are explored side by side, their lines mix.
      grep "test .*$word" "$log" | grep -v ignored >/dev/null && continue
      echo "$word: no such test ran"
      return 1
      ;;
    esac
  done
}

# side_by_side STEP… beside STEP…: two steps at once, each of which keeps about one processor busy. What the first says is
# shown as it goes, and then what the second said.
side_by_side() {
  local first=() results status=0
  while [ "$1" != beside ]; do
    first+=("$1")
    shift
  done
  shift
  results=$(mktemp -d)
  apart "$results/second" "$@" >"$results/second.output" &
  apart "$results/first" "${first[@]}" &
  wait
  cat "$results/second.output"
  adopt "$results/first" "${first[@]}" || status=1
  adopt "$results/second" "$@" || status=1
  rm -rf "$results"
  return "$status"
}

# apart FILE STEP…: a step in a shell of its own, with its own log. What it came to is put into the file.
apart() {
  local rows=() passed=0 failed=0 log=$1.log
  "${@:2}"
  printf '%s\n' "$passed" "$failed" "${rows[0]}" >"$1"
}

# adopt FILE STEP…: counts a step that ran apart; one that left no result has failed.
adopt() {
  local result=()
  [ ! -e "$1" ] || mapfile -t result <"$1"
  [ "${#result[@]}" -eq 3 ] || result=(0 1 "FAILED: $3 came to no end")
  passed=$((passed + result[0])) failed=$((failed + result[1]))
  rows+=("${result[2]}")
  [ "${result[1]}" -eq 0 ]
}

# skip NAME WHY: says loudly that a check could not be had. With CI=true that is a failure, unless `excused NAME`, a
# function of the caller, prints why it may be.
skip() {
  local excuse
  if [ "${CI:-}" = true ] && ! excuse=$(excused "$1"); then
    failed=$((failed + 1))
    note "$1" 0 "FAILED: cannot be had ($2), and nothing excuses it"
  else
    skipped=$((skipped + 1))
    note "$1" 0 "SKIPPED: $2${excuse:+ (excused: $excuse)}"
  fi
  printf '\n!!! %s SKIPPED: %s\n' "$1" "$2"
}

# summary: the table of what ran, what may say why steps failed, and the count, which is the last line: who reads a long log reads
# its end. Fails if a step did.
summary() {
  processor
  printf '\n=== what ran, in %d min %d s, with %d min %d s of processor time\n' \
    $((SECONDS / 60)) $((SECONDS % 60)) $((processed / 60)) $((processed % 60))
  printf '%s\n' "${rows[@]}"
  cat "$telling"
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ]
}

# debian PACKAGE…: installs Debian's packages where that can be done.
debian() {
  command -v apt-get >/dev/null || return 1
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"
}

# rust TOOLCHAIN COMPONENT…: whether the toolchain is there with these components, installed now if need be.
rust() {
  local toolchain=$1 component
  shift
  cargo "+$toolchain" --version >/dev/null 2>&1 || rustup toolchain install "$toolchain" --profile minimal || return 1
  for component; do
    rustup component list --toolchain "$toolchain" 2>/dev/null | grep "^$component.*(installed)" >/dev/null ||
      rustup component add --toolchain "$toolchain" "$component" || return 1
  done
}

# rust_target TARGET: whether the standard library for it is there, installed now if need be.
rust_target() {
  rustup target list --installed 2>/dev/null | grep -x "$1" >/dev/null || rustup target add "$1"
}

# The tests of the runtime that Miri plays under many seeds, each another schedule: sleeping, stealing, scopes, latches, calls,
# detached tasks. `with_two_workers` found frames that were freed under a reference.
# Whole names: to look for parts of names in 140 others takes Miri longer than most of these tests.
# shellcheck disable=SC2034 # used by who sources this
schedules=(--lib --test api --test pools -- --exact
  pool::calls::tests::callers_and_joins_of_many_threads_beside_each_other
  join::a_stolen_b_runs_on_another_worker_and_its_result_comes_back join::of_two_panics_that_of_a_wins
  scope::foreign_threads_spawn_into_a_scope scope::the_owner_of_a_scope_sleeps_until_the_last_task_elsewhere
  scope::with_two_workers_tasks_run_beside_the_body pool::who_finds_the_seat_taken_is_served_all_the_same
  spawn::detached_tasks_run_though_nobody_calls alone::threads_that_call_it_take_turns
  blocking::the_joins_of_a_blocked_worker_are_taken)
