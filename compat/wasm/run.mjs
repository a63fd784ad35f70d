// Runs the programs of this package, and checks their answers.
//
//   node run.mjs FILE.wasm
//
// A file for `wasm32-unknown-unknown` is given nothing, and must ask for nothing. Each program is run in an instance of its own, and then
// all in one. Without threads the file is the library, with them it is the program.

import { readFile } from "node:fs/promises";
import { instantiate, kindOf, start } from "./host.mjs";

const everywhere = {
  "join": 6765n,
  "join without a handle": 610n,
  "join3, join4": 28n,
  "join_range": 4950n,
  "join_context": 0n,
  "try_join": 42n,
  "isolated": 165n,
  "loops": 333333450n,
  "loops that end early": 5407n,
  "a deterministic sum": 7485n,
  "sorts": 1n,
  "coalesce": 2047n,
  "split": 144144n,
  "direct": 144144n,
  "direct, locked": 144144n,
  "receiver": 144144n,
  "sender": 144144n,
  "chase-lev": 144144n,
  "abp": 144144n,
  "without a cut-off": 1000n,
  "a loop within a loop, broken off": 51n,
};

const withoutThreads = {
  "scopes": 40n,
  "a scope in place": 67n,
  "scopes wait for their tasks, and not before": 9n,
  "a detached task from outside": 2n,
  "detached tasks within a call": 1n,
  "a long chain of detached tasks": 100000n,
  "detached tasks in order": 1234n,
  "handles": 102n,
  "a handle for a while": 1n,
  "broadcasts": 112n,
  "yielding": 3n,
  "a call that is awaited": 56n,
  "a call that nobody awaits": 1n,
  "a token that is set before": 1n,
  "a token that is asked": 1000n,
  "a token with a time": 2n,
  "what nobody is left to do": "a trap",
  "what is not over in time": 3n,
  "several workers are one": 110n,
  "as few workers as there are": 2n,
  "everything set": 55n,
  "interrupts are refused": 1n,
  "threads of the program's are refused by it": 11n,
  "probes": 88n,
  "a probe that reads the clock": 1n,
  "a pool within a pool within the first": 26n,
  "a scope and a broadcast within the first again": 9n,
  "the handle of another pool": 55n,
  "a task left to another pool": 8n,
  "background tasks": 44n,
  "nothing is lost when a pool is dropped": 11n,
  "many pools": 1000n,
  "rayon: join": 610n,
  "rayon: iterators": 74985021n,
  "rayon: sorts": 1n,
  "rayon: scopes": 17n,
  "rayon: spawned tasks are run": 12n,
  "rayon: threads": 11n,
  "rayon: a pool of its own": 4951n,
  "rayon: there is one global pool": 3n,
  "a worker for good": 73n,
};

const withThreads = {
  "threads: several workers": 355n,
  "threads: wait for each other": 1n,
  "threads: each deque": 310080n,
  "threads: a detached task": 7n,
  "threads: callers": 8250n,
  "threads: end with their pool": 3n,
  "threads: one in place of one that blocks": 9n,
  "threads: rayon": 4500003n,
};

const file = process.argv[2];
const module = await WebAssembly.compile(await readFile(file));
const kind = kindOf(module);
const answers = { ...everywhere, ...(kind === "threads" ? withThreads : withoutThreads) };

function nameOf(exports, number) {
  const [begin, length] = [exports.name(number), exports.name_length(number)];
  // A copy, for shared memory is not decoded.
  return new TextDecoder().decode(new Uint8Array(exports.memory.buffer).slice(begin, begin + length));
}

const failures = [];

// Whether the answer is the expected one.
function check(name, where, ask) {
  let answer;
  try {
    answer = ask();
  } catch (trap) {
    answer = trap instanceof WebAssembly.RuntimeError ? "a trap" : trap;
  }
  if (answer !== answers[name]) {
    failures.push(`${name}, in ${where}: ${answer} in place of ${answers[name]}`);
  }
}

// Calls the programs by their numbers: each in an instance of its own, and then all in one.
async function callAll() {
  const names = [];
  const all = await instantiate(module);
  const answer = (exports, number) => () => BigInt.asUintN(64, exports.answer(number));
  for (let number = 0; number < all.count(); number += 1) {
    names.push(nameOf(all, number));
    check(names[number], "an instance of its own", answer(await instantiate(module), number));
  }
  for (const name of Object.keys(answers).filter((name) => !names.includes(name))) {
    failures.push(`${name}: there is no such program`);
  }
  if (failures.length === 0) {
    // But for what ends it.
    const going = [...names.entries()].filter(([, name]) => answers[name] !== "a trap");
    going.forEach(([number, name]) => check(name, "the one instance", answer(all, number)));
  }
}

// Starts the program with the names of those that it is to run, and their answers: one by one, and then all. It tells what is wrong.
async function startAll() {
  const all = Object.entries(answers);
  for (const expected of [...all.map((one) => [one]), all]) {
    const status = await start(module, ["program", ...expected.flat().map(String)]);
    if (status !== 0) {
      failures.push(`${expected.map(([name]) => name)}: ended with ${status}`);
    }
  }
}

await (kind === "threads" ? startAll() : callAll());
failures.forEach((failure) => console.error(failure));
console.log(`${kind}: ${Object.keys(answers).length} programs, ${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);
