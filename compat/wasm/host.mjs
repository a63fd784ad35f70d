// What a module of this package is given: nothing on the web; what `node:wasi` has, for WASI; and threads, for WASI with threads.

import { Worker } from "node:worker_threads";

async function wasiOf(args) {
  const { WASI } = await import("node:wasi");
  return new WASI({ version: "preview1", args });
}

// As many pages as the module may have at the most, by its target.
const MOST_PAGES = 16384;

export function kindOf(module) {
  const imports = WebAssembly.Module.imports(module);
  if (imports.some(({ module, name }) => module === "wasi" && name === "thread-spawn")) {
    return "threads";
  }
  return imports.length > 0 ? "wasi" : "web";
}

// The exports of a new instance without threads.
export async function instantiate(module) {
  if (kindOf(module) === "web") {
    return (await WebAssembly.instantiate(module, {})).exports;
  }
  const wasi = await wasiOf([]);
  const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
  wasi.initialize(instance);
  return instance.exports;
}

// Runs a program with threads, and returns its exit status.
export async function start(module, args) {
  const wasi = await wasiOf(args);
  const memory = new WebAssembly.Memory({ initial: 256, maximum: MOST_PAGES, shared: true });
  const threads = { module, memory, started: new Int32Array(new SharedArrayBuffer(4)) };
  const instance = await WebAssembly.instantiate(module, imports(wasi, threads));
  return wasi.start(instance);
}

// A thread of such an instance, from within its worker.
export async function runThread({ threads, thread, argument }) {
  const wasi = await wasiOf([]);
  const instance = await WebAssembly.instantiate(threads.module, imports(wasi, threads));
  // Only of its memory: it has been initialised, once.
  wasi.initialize({ exports: { memory: threads.memory } });
  instance.exports.wasi_thread_start(thread, argument);
}

function imports(wasi, threads) {
  const spawn = (argument) => {
    const thread = Atomics.add(threads.started, 0, 1) + 1;
    const file = new URL("thread.mjs", import.meta.url);
    const worker = new Worker(file, { workerData: { threads, thread, argument } });
    worker.unref();
    return thread;
  };
  return { ...wasi.getImportObject(), wasi: { "thread-spawn": spawn }, env: { memory: threads.memory } };
}
