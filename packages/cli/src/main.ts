#!/usr/bin/env node
/** The entry. It looks at Node before anything is loaded that an old one cannot read, so it uses nothing new itself. */

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`tallystick: Node 22.19 or newer is needed; this is Node ${process.versions.node}\n`)
  process.exitCode = 2
} else {
  void import("./Process.ts")
}
