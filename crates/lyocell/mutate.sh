#!/usr/bin/env bash
# Weakens the memory orderings and fences of the runtime, one at a time, and tells which model notices.
#
#   crates/lyocell/mutate.sh [FILE…]        as listed by `subjects` below; all of them if none is named
#
# Works on a copy, never on this tree, with one processor. Prints a Markdown table; how it goes along, to
# standard error. Each file is tried on its own models only, until one fails.
# Ends with 1 if an ordering can be weakened and no model fails: it is too strong, or the models are too few,
# or loom cannot tell (see ARCHITECTURE.md, where the table is kept).
#
# MUTATE_SECONDS: how long a model may run (180). MUTATE_WORK: a directory to work in, kept for the next time.
set -euo pipefail
shopt -s lastpipe

root=$(cd "$(dirname "$0")/../.." && pwd)
limit=${MUTATE_SECONDS:-180}

# What is weakened, and the models it is tried on: package=beginning of the name.
subjects() {
    cat <<'LIST'
lyocell/src/task.rs                    lyocell=hand_over
lyocell/src/deque/split.rs             lyocell=split
lyocell/src/idle.rs                    lyocell=idle lyocell=worker
lyocell/src/wait.rs                    lyocell=worker
lyocell/src/lane.rs                    lyocell=worker
lyocell/src/drain.rs                   lyocell=drain
lyocell/src/latch.rs                   lyocell=latch
lyocell/src/scope.rs                   lyocell=scope
lyocell/src/bag.rs                     lyocell=bag
lyocell/src/interrupt/nap.rs           lyocell=nap
lyocell/src/seat.rs                    lyocell=seat
lyocell/src/claim.rs                   lyocell=direct
lyocell/src/deque/direct/locked.rs     lyocell=direct
lyocell/src/deque/mailbox.rs           lyocell=private::mailbox lyocell=private
lyocell/src/deque/desk.rs              lyocell=private::receiver
lyocell/src/deque/chase_lev.rs         lyocell=concurrent::chase_lev::pushes lyocell=concurrent::chase_lev
lyocell-queues/src/index/chase_lev.rs  lyocell-queues=exactly_once::chase_lev lyocell=concurrent::chase_lev
lyocell-queues/src/index/abp.rs        lyocell-queues=exactly_once::abp lyocell=concurrent::abp
lyocell-queues/src/sync.rs             lyocell-queues=exactly_once::chase_lev lyocell-queues=exactly_once::abp
lyocell-queues/src/chase_lev.rs        lyocell-queues=exactly_once::chase_lev lyocell-queues=exactly_once::shrinking
lyocell-queues/src/plain.rs            lyocell-queues=exactly_once::chase_lev lyocell-queues=relaxed
lyocell-queues/src/board.rs            lyocell-queues=exactly_once::abp lyocell-queues=exactly_once::shrinking
lyocell-queues/src/idempotent/lifo.rs  lyocell-queues=relaxed::lifo
lyocell-queues/src/idempotent/fifo.rs  lyocell-queues=relaxed::fifo
lyocell-queues/src/idempotent/double_ended.rs  lyocell-queues=relaxed::double_ended
lyocell-queues/src/duplicating.rs      lyocell-queues=relaxed::duplicating
LIST
}

work=${MUTATE_WORK:-$(mktemp -d)}
[ -n "${MUTATE_WORK:-}" ] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work/copy"
tar -C "$root" --exclude=./target --exclude=./.git -cf - ./Cargo.toml ./Cargo.lock ./crates | tar -C "$work/copy" -xf -
cd "$work/copy"

# Builds are what most of the time goes into, and the models need no debug information.
export RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=$work/target CARGO_BUILD_JOBS=1
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_INCREMENTAL=true

# Builds the models of a package and prints the path of the program; nothing, if they do not build.
build() {
    cargo test --quiet --release -p "$1" --lib --no-run --message-format=json 2>"$work/build.log" |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1
}

# The models that have to fail: they tell nothing.
doomed() {
    awk '/should_panic/ { doomed = 1 } doomed && match($0, /fn [a-z_0-9]+/) { print substr($0, RSTART + 3, RLENGTH - 3); doomed = 0 }' \
        crates/*/src/models/*.rs
}

# models PACKAGE=BEGINNING…: the models to try, each once, as PACKAGE=MODEL.
models() {
    local wanted
    for wanted; do
        local package=${wanted%%=*}
        "${program[$package]}" --list 2>/dev/null | sed -n "s/^models::\(${wanted#*=}.*\): test\$/$package=\1/p"
    done | grep -vwFf <(doomed) | awk '!seen[$0]++'
}

# try_models MODEL…: the first of the models that fails, or that none does.
try_models() {
    local model status late=""
    for model; do
        status=0
        timeout "$limit" "${program[${model%%=*}]}" "models::${model#*=}" --exact >/dev/null 2>&1 || status=$?
        case $status in
        0) ;;
        124) late=", but not all came to an end" ;;
        *) echo "\`${model#*=}\`" && echo "$model" >>"$work/cited" && return ;;
        esac
    done
    echo "**none**$late"
}

# One line for each way to weaken a file, outside comments, tests, and what the models have another form of: line, which on the line, from, to, function.
weaker() {
    awk '
        /^#\[cfg\(all\(test/ { exit }
        /^ *#\[cfg\(not\(loom\)\)\]/ { shipped = 1 }
        /^ *#\[cfg\(loom\)\]/ { shipped = 0 }
        shipped || /^ *\/\// { next }
        match($0, /fn [a-z_0-9]+/) { name = substr($0, RSTART + 3, RLENGTH - 3) }
        {
            rest = $0; nth = 0
            while (match(rest, /Ordering::[A-Za-z]+/)) {
                nth++
                from = substr(rest, RSTART + 10, RLENGTH - 10)
                fence = substr(rest, 1, RSTART - 1) ~ /fence\($/
                rest = substr(rest, RSTART + RLENGTH)
                if (from == "Release" || from == "Acquire") print NR, nth, from, "Relaxed", name
                if (from == "AcqRel") { print NR, nth, from, "Acquire", name; print NR, nth, from, "Release", name }
                if (from == "SeqCst" && fence) print NR, nth, from " fence", "AcqRel", name
                else if (from == "SeqCst") print NR, nth, from, "Relaxed", name
            }
        }' OFS='\t' "$1"
}

declare -A program
survivors=0
: >"$work/cited"
echo '| file | function | weakened | model that fails |'
echo '|---|---|---|---|'
subjects | while read -r file wanted; do
    [ $# -eq 0 ] || printf '%s\n' "$@" | grep -qxF "$file" || continue
    cp "crates/$file" "$work/original.rs"
    weaker "$work/original.rs" | while IFS=$'\t' read -r line nth from to name; do
        sed "${line}s/Ordering::[A-Za-z]*/Ordering::$to/$nth" "$work/original.rs" >"crates/$file"
        start=$SECONDS
        caught=""
        for package in $(printf '%s\n' $wanted | sed 's/=.*//' | sort -u); do
            program[$package]=$(build "$package")
            [ -n "${program[$package]}" ] || caught="does not build"
        done
        built=$((SECONDS - start))
        # shellcheck disable=SC2046,SC2086 # lists of words
        [ -n "$caught" ] || caught=$(try_models $(models $wanted))
        case $caught in *none*) survivors=$((survivors + 1)) ;; esac
        echo "| \`${file/src\//}\` | \`$name\` | $from → $to | $caught |"
        echo "$file:$line $name: $from → $to: $caught ($built s to build, $((SECONDS - start - built)) s to run)" >&2
        cp "$work/original.rs" "crates/$file"
    done
done

# What failed must not fail unharmed.
for package in lyocell lyocell-queues; do program[$package]=$(build $package); done
sort -u "$work/cited" | while read -r model; do
    case $(try_models "$model") in
    *none*) ;;
    *) echo "$model fails as it is" >&2 && exit 2 ;;
    esac
done
[ "$survivors" -eq 0 ]
