/**
 * Loaded in front of a program (`node --import …/Mortal.ts?…`): kills it with SIGKILL, or stops it with SIGSTOP, before or after its
 * `n`th step. Steps are statements to SQLite and writes to sockets, whichever come. A program that ends by itself says how many it
 * took, and one that stops says so.
 */
import { writeSync } from "node:fs"
import { Socket } from "node:net"
import { DatabaseSync, StatementSync } from "node:sqlite"

const asked = new URL(import.meta.url).searchParams
const after = asked.get("when") === "after"
const last = Number(asked.get("step") ?? Number.POSITIVE_INFINITY)
let steps = 0

// The program lives at the time of the service that it reads: a sync believes no service whose clock is another.
const now = asked.get("now")
if (now !== null) {
  const machine = Date.now
  const ahead = Number(now) - machine()
  Date.now = () => machine() + ahead
}

const STDERR = 2

const die = (): void => {
  if (asked.get("signal") !== "SIGSTOP") process.kill(process.pid, "SIGKILL")
  writeSync(STDERR, "stops\n")
  process.kill(process.pid, "SIGSTOP")
}

/** The methods of a class, each use of which is a step. */
const count = (prototype: object, names: ReadonlyArray<string>): void => {
  for (const name of names) {
    const method: unknown = Reflect.get(prototype, name)
    if (typeof method !== "function") continue
    Reflect.set(prototype, name, function(this: unknown, ...args: ReadonlyArray<unknown>): unknown {
      const dies = ++steps === last
      if (dies && !after) die()
      const result: unknown = Reflect.apply(method, this, args)
      if (dies && after) die()
      return result
    })
  }
}

count(Socket.prototype, ["write"])
count(DatabaseSync.prototype, ["exec"])
count(StatementSync.prototype, ["run", "all", "get", "iterate"])

process.on("exit", () => process.stderr.write(`steps ${steps}\n`))
