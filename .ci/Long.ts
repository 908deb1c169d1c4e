/**
 * The long run, in shards: as many at a time as there are cores. A shard that passed at this commit with these counts is
 * not run again, so that a run that was ended goes on where it was; `--fresh` forgets what passed. The last line counts
 * everything: each test, each frozen book, each rule of the engine whose absence a test has to notice, and each page of the site.
 *
 *   TALLYSTICK_SEEDS      fault schedules (default 3000); for 3000 of them the paging simulation plays 300 histories on each
 *                         of its servers, 600 minutes of traffic pass, and an archive is synced through 15 lives with each
 *                         of 14 services, 16 whose accounts take turns while the service fails, 36 with damages
 *   TALLYSTICK_CASES      generated cases for each property; the dearest try some 10 to 300 of them at most (default 1000)
 *   TALLYSTICK_KILLS      times that a sync is killed, on each database (default 40); for 40 of them migrations are killed 80
 *                         times, processes share an archive and lose its lock in 10 lives, and a sync into PostgreSQL is stopped,
 *                         killed and loses its server 50 times each while another waits for the archive; of three runners the one
 *                         that syncs is killed, stopped and cut off 10 times each; at 50 moments of each kind a cluster of three
 *                         runners loses one to SIGKILL, SIGSTOP or a cut network, or its database crashes, is started anew, ends
 *                         all sessions, or has a full disk
 *   TALLYSTICK_MUTATIONS  rules of the engine that are switched off, one at a time (default all)
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")
const setting = (name: string, usual: string): string => {
  const value = process.env[`TALLYSTICK_${name}`]
  return value === undefined || value === "" ? usual : value
}
const seeds = Number(setting("SEEDS", "3000"))
const cases = setting("CASES", "1000")
const kills = setting("KILLS", "40")
const mutations = setting("MUTATIONS", "all")

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
const commit = git("rev-parse", "--short=12", "HEAD")
const isClean = git("status", "--porcelain") === ""
const folder = join(
  root,
  "node_modules/.cache/tallystick-long",
  [isClean ? commit : "changed", seeds, cases, kills, mutations].join("-")
)
if (!isClean || process.argv.includes("--fresh")) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

interface Shard {
  readonly name: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly count: () => Count
}

interface Count {
  readonly passed: number
  readonly failed: number
  /** What failed, a line each. */
  readonly failures: ReadonlyArray<string>
}

/** The part of vitest's JSON report that is looked at. */
interface Report {
  readonly success: boolean
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

const reportOf = (name: string): string => join(folder, `${name}.json`)
const logOf = (name: string): string => join(folder, `${name}.log`)
const passedOf = (name: string): string => join(folder, `${name}.passed`)

/** What vitest reported; a run that left no report, or a file that could not be loaded, is a failure. */
const testsOf = (name: string) => (): Count => {
  const path = reportOf(name)
  if (!existsSync(path)) return { passed: 0, failed: 1, failures: ["nothing was tested"] }
  const report: Report = JSON.parse(readFileSync(path, "utf8"))
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const failures = report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName)
    return file.status === "failed" && failed.length === 0 ? [`${file.name} could not be run`] : failed
  })
  if (failures.length === 0 && (!report.success || tests.length === 0)) failures.push("the run failed")
  return { passed: tests.filter(({ status }) => status === "passed").length, failed: failures.length, failures }
}

const tests = (name: string, project: string, args: ReadonlyArray<string>, env: Shard["env"] = {}): Shard => ({
  name,
  args: [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config=vitest.workspace.ts",
    "--maxWorkers=1",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${reportOf(name)}`,
    `--project=${project}`,
    ...args
  ],
  env,
  count: testsOf(name)
})

/** Rules that no test missed count as passed. The run says its verdicts in a line of its own. */
const mutated = (part: number, parts: number): Shard => ({
  name: `mutations-${part}`,
  args: ["packages/reconcile/mutation/run.ts", `${part}/${parts}`],
  env: { TALLYSTICK_CASES: "300" },
  count: () => {
    const text = readFileSync(logOf(`mutations-${part}`), "utf8")
    const found = /^mutations: (\d+) caught, (\d+) survived(?:, (\d+) undecided)?$/m.exec(text)
    if (found === null) return { passed: 0, failed: 1, failures: ["the mutations were not tried"] }
    const failures = text.split("\n").filter((line) => /^(SURVIVED|UNDECIDED)/.test(line))
    return { passed: Number(found[1]), failed: Number(found[2]) + Number(found[3] ?? 0), failures }
  }
})

/** Books of which the engine says what it said count as passed. The run says its verdict in a line of its own. */
const frozen: Shard = {
  name: "frozen-books",
  args: ["frozen/src/main.ts"],
  env: {},
  count: () => {
    const text = readFileSync(logOf("frozen-books"), "utf8")
    const found = /^(\d+) the same, (\d+) differ$/m.exec(text)
    if (found === null) return { passed: 0, failed: 1, failures: ["the frozen books were not compared"] }
    const failures = text.split("\n").filter((line) => line.startsWith("DIFFERS"))
    return { passed: Number(found[1]), failed: Number(found[2]), failures }
  }
}

/** Pages of the site count as passed, and dead links as failed; a warning of TypeDoc fails the build. */
const site: Shard = {
  name: "site",
  args: ["site/src/main.ts"],
  env: {},
  count: () => {
    const lines = readFileSync(logOf("site"), "utf8").split("\n")
    const found = lines.flatMap((line) => /^\d+ links of (\d+) pages, (\d+) dead$/.exec(line) ?? [])
    if (found.length === 0) return { passed: 0, failed: 1, failures: ["the site was not built"] }
    return {
      passed: Number(found[1]),
      failed: Number(found[2]),
      failures: lines.filter((line) => line.startsWith("DEAD"))
    }
  }
}

/** Test files that take minutes each, in shards of their own: what is left of a project is one shard. */
const long: Readonly<Record<string, ReadonlyArray<string>>> = {
  core: ["Traffic"],
  sandbox: ["paging/Paging"],
  reconcile: [
    "truth",
    "truthUnlike",
    "growth",
    "groupedGrowth",
    "groupedProperties",
    "properties",
    "rulesOracle",
    "unreadQuery"
  ],
  archive: [
    "booksProperty",
    "carryProperty",
    "kill/desk",
    "kill/kill",
    "kill/lease",
    "kill/migration",
    "kill/notices",
    "month",
    "SyncSimulation",
    "simulation/Clocks",
    "simulation/Faults",
    "simulation/Locks",
    "simulation/Statements",
    "simulation/Sync"
  ],
  cli: ["failover", "strangers"],
  cluster: ["kill/killed", "kill/server", "kill/still", "kill/versions"]
}

const share = (count: string | number, factor: number): string => String(Math.ceil(Number(count) * factor))

/** Counts of their own: fewer of what is dear, more of what guards `final`. */
const own: Readonly<Record<string, Shard["env"]>> = {
  truthUnlike: { TALLYSTICK_CASES: share(cases, 0.02) },
  growth: { TALLYSTICK_CASES: share(cases, 1.2) },
  groupedGrowth: { TALLYSTICK_CASES: share(cases, 3) },
  groupedProperties: { TALLYSTICK_CASES: share(cases, 4) },
  properties: { TALLYSTICK_CASES: share(cases, 2) },
  rulesOracle: { TALLYSTICK_CASES: share(cases, 2) },
  unreadQuery: { TALLYSTICK_CASES: share(cases, 2) },
  failover: { TALLYSTICK_KILLS: share(kills, 0.75) },
  "kill/killed": { TALLYSTICK_KILLS: share(kills, 1.25) },
  "kill/lease": { TALLYSTICK_KILLS: share(kills, 1.25) },
  "kill/migration": { TALLYSTICK_KILLS: share(kills, 2) },
  "kill/server": { TALLYSTICK_KILLS: share(kills, 1.25) },
  "kill/still": { TALLYSTICK_KILLS: share(kills, 1.25) },
  "kill/versions": { TALLYSTICK_KILLS: share(kills, 1.25) },
  Traffic: { TALLYSTICK_SEEDS: share(seeds, 0.2) },
  SyncSimulation: { TALLYSTICK_SEEDS: share(seeds, 0.12) },
  "simulation/Faults": { TALLYSTICK_SEEDS: share(seeds, 0.13) },
  "simulation/Statements": { TALLYSTICK_SEEDS: share(seeds, 0.2) },
  "simulation/Sync": { TALLYSTICK_SEEDS: share(seeds, 0.12) }
}

const HISTORIES = Number(share(seeds, 0.1))
const PAGINGS = 2
const MUTATIONS = 2
const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

/** Projects come first, because most of what breaks shows there; mutations come last, so that no core waits long at the end. */
const shards: ReadonlyArray<Shard> = [
  ...[...readdirSync(join(root, "packages")), "examples", "reference", "frozen"].map((project) =>
    tests(project, project, (long[project] ?? []).map((file) => `--exclude=test/${file}.test.ts`))
  ),
  ...upTo(PAGINGS).map((part) => {
    const first = Math.floor(part * HISTORIES / PAGINGS)
    return tests(`paging-${part + 1}`, "sandbox", ["test/paging/Paging.test.ts"], {
      TALLYSTICK_FIRST_SEED: String(first),
      TALLYSTICK_SEEDS: String(Math.floor((part + 1) * HISTORIES / PAGINGS) - first)
    })
  }),
  ...Object.entries(long).flatMap(([project, files]) =>
    project === "sandbox"
      ? []
      : files.map((file) =>
        tests(`${project}-${file.replaceAll("/", "-")}`, project, [`test/${file}.test.ts`], own[file])
      )
  ),
  frozen,
  site,
  ...upTo(MUTATIONS).map((part) => mutated(part + 1, MUTATIONS))
]

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const running = new Set<ChildProcess>()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill("SIGTERM")
    process.exit(1)
  })
}

/** Ends with the process's exit code. */
const run = ({ args, env, name }: Shard): Promise<number> => {
  rmSync(reportOf(name), { force: true })
  const log = openSync(logOf(name), "w")
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      TALLYSTICK_SEEDS: String(seeds),
      TALLYSTICK_CASES: cases,
      TALLYSTICK_KILLS: kills,
      ...(mutations === "all" ? {} : { TALLYSTICK_MUTATIONS: mutations }),
      ...env
    },
    stdio: ["ignore", log, log]
  })
  running.add(child)
  return new Promise((done, fail) => {
    child.once("error", fail)
    child.once("exit", (code) => {
      running.delete(child)
      closeSync(log)
      done(code ?? 1)
    })
  })
}

const counts: Array<Count> = []

const attempt = async (shard: Shard): Promise<void> => {
  const { name } = shard
  const isOld = existsSync(passedOf(name))
  const began = performance.now()
  const code = isOld ? 0 : await run(shard)
  const seen = shard.count()
  const count = code === 0 || seen.failed > 0
    ? seen
    : { ...seen, failed: 1, failures: [`the run ended with exit code ${code}`] }
  if (count.failed === 0) writeFileSync(passedOf(name), "")
  counts.push(count)
  const took = isOld ? "before" : `in ${Math.round((performance.now() - began) / 1000)} s`
  say(`${name}: ${count.passed} passed, ${count.failed} failed ${took}`)
  if (count.failed > 0) say(count.failures.map((line) => `  ${line}\n`).join("") + `  see ${logOf(name)}`)
}

const waiting = shards.values()
await Promise.all(
  upTo(availableParallelism()).map(async () => {
    // Each worker takes the next shard that nobody has.
    // oxlint-disable-next-line eslint/no-await-in-loop
    for (const shard of waiting) await attempt(shard)
  })
)

const sum = (of: "passed" | "failed"): number => counts.reduce((all, count) => all + count[of], 0)
say(
  `${sum("passed")} passed, ${sum("failed")} failed at ${commit}${isClean ? "" : " with changes"} ` +
    `(${seeds} seeds, ${cases} cases, ${kills} kills, ${mutations} mutations)`
)
if (sum("failed") > 0 || sum("passed") === 0) process.exitCode = 1
