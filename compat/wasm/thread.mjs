// A thread that a module has started.

import { workerData } from "node:worker_threads";
import { runThread } from "./host.mjs";

await runThread(workerData);
