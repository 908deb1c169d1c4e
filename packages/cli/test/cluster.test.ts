/** `tallystick cluster`: a runner, a submitter and whoever watches, as processes of their own, over a real PostgreSQL. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as World from "../../archive/test/kill/World.ts"
import { temporaryDatabase, temporaryFolder } from "../../archive/test/support/databases.ts"
import * as Processes from "../../cluster/test/kill/Processes.ts"
import * as Desk from "../../cluster/test/support/Desk.ts"
import * as Exchange from "./support/Exchange.ts"
import { type Ended, type Options, run, start } from "./support/Process.ts"

const { from, to } = Desk.question.range
const range = ["--from", new Date(from).toISOString(), "--to", new Date(to).toISOString()]

/** An archive in PostgreSQL, and the command as it is given there. */
const desk = Effect.fnUntraced(function*(deposits = 60) {
  const url = yield* temporaryDatabase
  yield* Desk.keep({ _tag: "Postgres", url }, deposits)
  const accounts = join(yield* temporaryFolder, "accounts.json")
  writeFileSync(accounts, JSON.stringify(Desk.question.accounts))
  const env = { TALLYSTICK_DATABASE_URL: Redacted.value(url) }
  const secret = new URL(Redacted.value(url)).password
  const command = (...args: ReadonlyArray<string>): Effect.Effect<Ended> =>
    Effect.map(Effect.promise(() => run(["cluster", ...args], { env })), (ended) => {
      assert.notInclude(ended.stdout + ended.stderr, secret)
      return ended
    })
  const files = ["--accounts", accounts, "--by", "clerk"]
  return { accounts, asked: [...files, ...range], command, env, files }
})

/** An exchange, and an archive in PostgreSQL that was never read. */
const reading = Effect.gen(function*() {
  const service = yield* Exchange.make(World.make(1, Date.now()))
  const env = { TALLYSTICK_DATABASE_URL: Redacted.value(yield* temporaryDatabase) }
  return {
    env,
    command: (...args: ReadonlyArray<string>) => Effect.promise(() => run(["cluster", ...args], { env })),
    service
  }
})

const background = (args: ReadonlyArray<string>, options: Options) =>
  Effect.acquireRelease(
    Effect.sync(() => start(["cluster", ...args], options)),
    ({ process }) => Effect.sync(() => process.kill("SIGKILL"))
  )

describe("tallystick cluster", () => {
  it.live("a runner does what is submitted, and the submitter prints the report as reconcile does", () =>
    Effect.gen(function*() {
      const { asked, command, env } = yield* desk()
      const port = yield* Processes.freePort

      const none = yield* command("status")
      assert.include(none.stderr, "no job was submitted")
      assert.include(none.stderr, "no runner is there; tallystick cluster runner starts one")

      const detached = yield* command("reconcile", ...asked, "--detach")
      assert.strictEqual(detached.exitCode, 0, detached.stderr)
      const id = detached.stdout.trim()
      assert.match(id, /^[0-9a-f]{64}$/)

      const runner = yield* background(["runner", "--address", String(port)], { env })
      assert.include(
        yield* Effect.promise(() => runner.told("takes jobs")),
        `runner 127.0.0.1:${port} takes jobs of`
      )
      const done = yield* command("reconcile", ...asked, "--format", "json")
      assert.strictEqual(done.exitCode, 1, done.stderr)
      assert.include(done.stderr, `job ${id.slice(0, 12)} is done: run r`)
      assert.include(done.stderr, "tallystick summary result=not-clean exit=1 discrepancies=6 ")
      const report: { readonly outcomes: ReadonlyArray<unknown>; readonly identity: object } = JSON.parse(done.stdout)
      assert.lengthOf(report.outcomes, 60)
      assert.include(report.identity, { execution: 1, madeBy: "clerk (claimed)" })

      const status = yield* command("status", "--format", "json")
      const { jobs, runners }: { jobs: ReadonlyArray<object>; runners: ReadonlyArray<object> } = JSON.parse(
        status.stdout
      )
      assert.deepStrictEqual(runners, [{ address: `127.0.0.1:${port}`, version: "0.1.0" }])
      assert.lengthOf(jobs, 1)
      assert.include(jobs[0], { id, state: "done", by: "clerk", begun: 1, execution: 1, runner: `127.0.0.1:${port}` })

      const late = yield* command("cancel", id.slice(0, 10))
      assert.strictEqual(late.exitCode, 2)
      assert.include(late.stderr, "there is nothing to cancel")

      runner.process.kill("SIGINT")
      const ended = yield* Effect.promise(() => runner.ended)
      assert.strictEqual(ended.exitCode, 130, ended.stderr)
    }).pipe(Effect.scoped))

  it.live("prints in each format what reconcile prints that brings the books forward", () =>
    Effect.gen(function*() {
      const [shared, alone] = [yield* desk(), yield* desk()]
      const runner = yield* background(["runner", "--address", String(yield* Processes.freePort)], shared)
      yield* Effect.promise(() => runner.told("takes jobs"))
      const args = (asked: ReadonlyArray<string>) =>
        asked.map((text) => text === shared.accounts ? alone.accounts : text)
      /** But for the name of the database, the hashes of the ledger and the time. */
      const plain = ({ stdout }: Ended): string =>
        stdout.replaceAll(/tallystick_[0-9a-f]{32}/g, "DATABASE").replaceAll(/[0-9a-f]{64}/g, "HASH")
          .replaceAll(/20\d\d-\d\d-\d\d[T ][\d:]{8}\.\d{3}Z?/g, "TIME").replaceAll(/"madeAt":\d+/g, "TIME").replaceAll(
            shared.accounts,
            alone.accounts
          )
      for (
        const more of [["--format", "json"], ["--declare", "--format", "csv"], [], [
          "--declare",
          "--format",
          "markdown"
        ]]
      ) {
        const asked = [...shared.asked, ...more]
        const ofJob = yield* shared.command("reconcile", ...asked)
        const booked = yield* Effect.promise(() =>
          run(["reconcile", "--archive", "--book", ...args(asked)], { env: alone.env })
        )
        assert.strictEqual(ofJob.exitCode, 1, ofJob.stderr)
        assert.strictEqual(plain(ofJob), plain(booked), more.join(" "))
        assert.include(ofJob.stderr, "the books were brought forward by execution")
      }
    }).pipe(Effect.scoped))

  it.live("a runner that is stopped at work leaves its job to the next one", () =>
    Effect.gen(function*() {
      const { asked, command, env } = yield* desk(6000)
      const place = ["runner", "--address", String(yield* Processes.freePort)]
      const first = yield* background(place, { env })
      yield* Effect.promise(() => first.told("takes jobs"))
      const submitter = yield* background(["reconcile", ...asked, "--format", "json"], { env })
      yield* Effect.promise(() => submitter.told("was begun on"))
      first.process.kill("SIGINT")
      assert.strictEqual((yield* Effect.promise(() => first.ended)).exitCode, 130)
      const second = yield* background(place, { env })
      yield* Effect.promise(() => second.told("takes jobs"))
      const { exitCode, stderr } = yield* Effect.promise(() => submitter.ended)
      assert.strictEqual(exitCode, 1, stderr)
      assert.include(stderr, "is done: run r")
      const { stdout } = yield* command("status", "--format", "json")
      assert.match(stdout, /"state": "done"/)
      assert.match(stdout, /"execution": 1\b/)
    }).pipe(Effect.scoped))

  it.live("of two runners the one that was started with --sync reads the exchange, and status says how it goes", () =>
    Effect.gen(function*() {
      const { command, env, service } = yield* reading
      const unread = yield* command("status", "--format", "json")
      assert.deepInclude(JSON.parse(unread.stdout), { sync: { candidates: [] } })

      const port = yield* Processes.freePort
      const args = ["runner", "--address", String(port), "--sync", "--accounts", service.accounts, "--since", "60h"]
      const runner = yield* background(args, { env: { ...env, ...service.env } })
      assert.include(yield* Effect.promise(() => runner.told("complete from")), "ok: ")
      assert.include(runner.said(), "this runner syncs from now on")
      // The first sync makes the archive.
      const other = yield* background(["runner", "--address", String(yield* Processes.freePort)], { env })
      assert.include(yield* Effect.promise(() => other.told("takes jobs")), "takes jobs of")
      assert.notInclude(runner.said(), service.env.TALLYSTICK_SECRET_KEY)
      const read = yield* command("status", "--format", "json")
      const { sync } = JSON.parse(read.stdout)
      assert.include(sync, { runner: `127.0.0.1:${port}`, isThere: true, turn: 1, failures: 0 })
      assert.isNumber(sync.completeTo)
      assert.deepStrictEqual(sync.candidates, [`127.0.0.1:${port}`])
      assert.match((yield* command("status")).stderr, new RegExp(`^.*sync: 127.0.0.1:${port} since .*complete to`, "m"))

      runner.process.kill("SIGTERM")
      const { exitCode, stderr } = yield* Effect.promise(() => runner.ended)
      assert.strictEqual(exitCode, 0, stderr)
      assert.include(stderr, "this runner syncs no more")
      const gone = yield* command("status")
      assert.include(
        gone.stderr,
        `sync: 127.0.0.1:${port} is gone, and no runner is there that was started with --sync`
      )
      assert.notInclude(other.said(), "this runner syncs")
    }).pipe(Effect.scoped))

  it.live("a sync that comes to nothing is tried again, and status says what keeps it", () =>
    Effect.gen(function*() {
      const { command, env, service } = yield* reading
      const args = ["runner", "--address", String(yield* Processes.freePort), "--sync", "--accounts", service.accounts]
      const refused = { ...env, ...service.env, TALLYSTICK_SECRET_KEY: "another-secret" }
      const runner = yield* background(args, { env: refused })
      yield* Effect.promise(() => runner.told("tried again in 2 s"))
      yield* Effect.promise(() => runner.told("tried again in 4 s"))
      const status = yield* command("status")
      assert.match(
        status.stderr,
        /sync: .* since .*; no round has ended yet; the last (?:2 rounds|round) came to nothing \(.*signature/
      )
      assert.isNull(runner.process.exitCode)
    }).pipe(Effect.scoped))

  it.live("a submitter that is interrupted leaves the job, which can be cancelled", () =>
    Effect.gen(function*() {
      const { asked, command, env } = yield* desk()
      const submitter = yield* background(["reconcile", ...asked], { env })
      yield* Effect.promise(() => submitter.told("no runner is there"))
      submitter.process.kill("SIGINT")
      const interrupted = yield* Effect.promise(() => submitter.ended)
      assert.strictEqual(interrupted.exitCode, 130)
      const [, job = ""] = /tallystick cluster cancel ([0-9a-f]{12}) ends it/.exec(interrupted.stderr) ?? []
      const cancelled = yield* command("cancel", job)
      assert.include(cancelled.stderr, `job ${job} was cancelled`)
      const again = yield* command("status", job)
      assert.match(again.stdout, new RegExp(`^${job} +cancelled`, "m"))
      const unknown = yield* command("cancel", "zz")
      assert.strictEqual(unknown.exitCode, 2)
      assert.include(unknown.stderr, "the cluster knows no job zz")
    }).pipe(Effect.scoped))

  it.live("a schedule is kept with what its files say, told of by status, set again and removed", () =>
    Effect.gen(function*() {
      const { command, files } = yield* desk()
      const set = yield* command("schedule", "desk", "--from", "2023-11-15", ...files)
      assert.strictEqual(set.exitCode, 0, set.stderr)
      assert.include(set.stderr, "schedule desk: 2023-11-15 (UTC) comes next")
      const again = yield* command("schedule", "desk", "--zone", "Europe/Berlin", ...files)
      assert.include(again.stderr, "schedule desk: 2023-11-15 (Europe/Berlin) comes next")
      const status = yield* command("status")
      assert.include(status.stderr, "schedule desk: 2023-11-15 (Europe/Berlin) comes next")
      const told: { readonly schedules: ReadonlyArray<object> } = JSON.parse(
        (yield* command("status", "--format", "json")).stdout
      )
      assert.deepStrictEqual(told.schedules, [
        {
          name: "desk",
          zone: "Europe/Berlin",
          from: "2023-11-15",
          isUnderstood: true,
          by: "clerk",
          next: "2023-11-15",
          open: []
        }
      ])
      const several = yield* command("schedule", "desk", "--from", "2023-11-15..2023-11-17", ...files)
      assert.strictEqual(several.exitCode, 2)
      assert.include(several.stderr, "names several days")
      assert.include((yield* command("unschedule", "desk")).stderr, "schedule desk was removed")
      const gone = yield* command("unschedule", "desk")
      assert.strictEqual(gone.exitCode, 2)
      assert.include(gone.stderr, "no schedule is named \"desk\"")
    }).pipe(Effect.scoped))

  it.live("says what is wrong before it begins", () =>
    Effect.gen(function*() {
      const file = { env: { TALLYSTICK_ARCHIVE: "archive.db" } }
      const ofFile = yield* Effect.promise(() => run(["cluster", "status"], file))
      assert.strictEqual(ofFile.exitCode, 2)
      assert.include(ofFile.stderr, "a cluster needs an archive in PostgreSQL")
      const port = yield* Processes.freePort
      const nobody = { env: { TALLYSTICK_DATABASE_URL: `postgres://u:recognisable-secret@127.0.0.1:${port}/d` } }
      const unreachable = yield* Effect.promise(() => run(["cluster", "runner", "--address", "7401"], nobody))
      assert.strictEqual(unreachable.exitCode, 3)
      assert.include(unreachable.stderr, "cannot be reached: nothing listens there")
      assert.notInclude(unreachable.stderr, "recognisable-secret")
      const { command } = yield* desk()
      const zero = yield* command("runner", "--address", "0")
      assert.strictEqual(zero.exitCode, 2)
      assert.include(zero.stderr, "it cannot be 0")
      const idle = yield* command("runner", "--address", "7401", "--every", "5m")
      assert.strictEqual(idle.exitCode, 2)
      assert.include(idle.stderr, "--every is about the sync: give --sync with it")
      const keyless = yield* command("runner", "--address", "7401", "--sync", "--accounts", "service")
      assert.strictEqual(keyless.exitCode, 2)
      assert.include(keyless.stderr, "TALLYSTICK_API_KEY")
    }).pipe(Effect.scoped))
})
