#!/bin/sh
# What probes cost where there are none: builds the example `deques`, which has a recursion over `join` and one
# over `join_range` on every deque, as the sources are and again with every call that counts removed from them,
# and compares the machine code of all functions of the two, one by one.
#
# Usage: probe-cost.sh [DIR]    builds in DIR, or in a temporary directory
# Needs: objdump of GNU binutils.
set -eu
crates=$(cd "$(dirname "$0")/.." && pwd)
place=${1:-$(mktemp -d)}
work=$place/sources

mkdir -p "$work/crates"
cp "$crates/../Cargo.toml" "$crates/../Cargo.lock" "$work"
cp -r "$crates/lyocell" "$crates/lyocell-queues" "$work/crates"
# The workspace without its command line.
sed -i '/^default-members/d' "$work/Cargo.toml"

build() {
    CARGO_TARGET_DIR=$place/target cargo build --quiet --release --manifest-path "$work/Cargo.toml" \
        --package lyocell --example deques
    # A line an instruction, without what depends on where a function is. Each function becomes one line,
    # so that the two programs can be compared whatever the order in them.
    objdump --disassemble --demangle --no-show-raw-insn --no-addresses \
        "$place/target/release/examples/deques" |
        sed -E 's/[0-9a-f]+ (<)/\1/; s/-?0x[0-9a-f]+\(%rip\).*/(%rip)/; s/[[:space:]]+/ /g' |
        grep -vE '^ ?(nop|xchg %ax,%ax|data16|cs nopw|int3)' |
        awk '/^<.*>:$/ { if (line) print line; line = $0; next } { line = line ";" $0 } END { print line }' |
        sort > "$place/$1"
}

build with
find "$work/crates/lyocell/src" -name '*.rs' ! -path '*/src/probe*' -exec sed -i -E \
    -e 's/(self\.|worker\.)?probe\.count\([A-Za-z:]+\)/()/g' \
    -e 's/(self|worker)\.probe\.spawned\(\|\| [a-z]+\.depth\(\)\)/()/g' {} +
if grep -rnE 'probe\.(count|spawned)\(' "$work/crates/lyocell/src" --include='*.rs' |
    grep -v '/src/probe'; then
    echo 'these calls were not removed' >&2
    exit 1
fi
RUSTFLAGS='-A warnings' build without

# What runs at every join: the recursions and all that is inlined into them.
hot='^[^;]*(join|deques::)'
grep -E "$hot" "$place/with" > "$place/with.hot"
grep -E "$hot" "$place/without" > "$place/without.hot"
if ! cmp "$place/with.hot" "$place/without.hot"; then
    comm -3 "$place/with.hot" "$place/without.hot" | sed -E 's/:;.*//' | sort | uniq -c
    echo 'the functions above differ'
    exit 1
fi
echo "identical: $(wc -l < "$place/with.hot") functions with a join in them"
# Elsewhere the compiler may come to the same instructions in another order.
differing=$(comm -23 "$place/with" "$place/without" | wc -l)
echo "of $(wc -l < "$place/with") functions in all, $differing differ, if only in the order of instructions"
