#!/usr/bin/env node
/** The entry. It looks at Node before anything is loaded that an old one cannot read, so it uses nothing new itself. */

import { errorMonitor } from "node:events"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

/** What these streams failed with: an EPIPE of anything else is no word of a reader. */
const ofReaders = new Set<unknown>()
const streams: ReadonlyArray<NodeJS.EventEmitter> = [process.stdout, process.stderr]
for (const stream of streams) stream.on(errorMonitor, (error) => ofReaders.add(error))

// Node would end with 1, which says that the books do not agree.
process.on("uncaughtException", (error) => {
  // The reader of stdout has seen enough, as head has: a shell says so of a program that SIGPIPE ended.
  if ("code" in error && error.code === "EPIPE" && ofReaders.has(error)) process.exit(141)
  process.stderr.write(`tallystick: internal error: ${String(error)}\n`)
  process.exit(3)
})

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`tallystick: Node 22.19 or newer is needed; this is Node ${process.versions.node}\n`)
  process.exitCode = 2
} else {
  void import("./Process.ts")
}
