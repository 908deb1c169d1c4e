/** The thread of a job that beats for a while, and then never comes back. */
import { workerData } from "node:worker_threads"
import * as Beating from "../../src/internal/watchdog/Beating.ts"

Beating.within(workerData)
setTimeout(() => {
  for (;;);
}, 1500)
