/** What a cluster of runners adds to a reconciliation in one process, what several of them do together, and whether their memory grows. */
import { existsSync } from "node:fs"
import * as Year from "../archive/Year.ts"
import * as Desk from "../cluster/Desk.ts"
import * as Runner from "../cluster/Runner.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

export interface Asked {
  /** So many deposits and as many transfers has each day. */
  readonly sweeps: number
  readonly rounds: number
  /** So many jobs are given at once to one, two and three runners. */
  readonly jobs: number
  /** So many jobs are done by one runner whose memory is looked at. */
  readonly many: number
}

interface Took {
  readonly wall: number
  /** Processor time of the processes, and of PostgreSQL, ms. */
  readonly cpu: number
  readonly postgres: number
}

const BESIDE_RANGE = 1

const dayOf = (index: number): string => new Date(Year.START + index * Year.DAY).toISOString().slice(0, 10)

const question = ({ at }: Desk.Desk, day: number): ReadonlyArray<string> =>
  ["--day", dayOf(day), "--by", "clerk", "--format", "ndjson", "--out", at(`report-${day}.ndjson`)]
    .concat(["--accounts", at("accounts.json"), "--addresses", at("addresses.json")])

const command = (url: string, ...args: ReadonlyArray<string>): Process.Metered =>
  Process.metered([Runner.bundle, ...args], { accepted: [0, 1], env: { TALLYSTICK_DATABASE_URL: url } })

/** A day by `tallystick reconcile --archive --book`. */
const alone = async (desk: Desk.Desk): Promise<Took> => {
  const url = await desk.fresh()
  const before = desk.cpu()
  const { cpuMs, wallMs } = command(url, "reconcile", "--archive", "--book", ...question(desk, BESIDE_RANGE))
  return { wall: wallMs, cpu: cpuMs, postgres: desk.cpu() - before }
}

interface Clustered extends Took {
  /** Of `cpu`, that of the runner. */
  readonly runner: number
  /** From the submission to the begin of work, ms. */
  readonly begin: number
  /** So often work began: of more than once, all but the last time was in vain. */
  readonly begun: number
  /** So often the runner said that it tries the job again. */
  readonly again: number
}

/** The same day by `tallystick cluster reconcile`, with a runner that is there already. */
const clustered = async (desk: Desk.Desk): Promise<Clustered> => {
  const url = await desk.fresh()
  const runner = await Runner.start(url)
  const [before, own] = [desk.cpu(), runner.cpu()]
  const { cpuMs, wallMs } = command(url, "cluster", "reconcile", ...question(desk, BESIDE_RANGE))
  const took = { wall: wallMs, runner: runner.cpu() - own, postgres: desk.cpu() - before }
  const [row] = await desk.ask("SELECT begun_at - submitted_at AS ms, begun::int FROM tallystick_cluster_jobs")
  await runner.end()
  const again = runner.again()
  return { ...took, again, cpu: cpuMs + took.runner, begin: Number(row?.["ms"]), begun: Number(row?.["begun"]) }
}

const medians = <A extends object>(found: ReadonlyArray<A>, of: keyof A): number =>
  Report.median(found.map((one) => Number(one[of])))

const tell = (what: string, took: object): void => console.error(`${what}: ${JSON.stringify(took)}`)

const overhead = async (desk: Desk.Desk, { rounds, sweeps }: Asked): Promise<string> => {
  const [ones, others]: [Array<Took>, Array<Clustered>] = [[], []]
  for (let round = -1; round < rounds; round++) {
    const [one, other] = [await alone(desk), await clustered(desk)]
    tell("one process", one)
    tell("a runner", other)
    if (round < 0) continue
    ones.push(one)
    others.push(other)
  }
  const records = 2 * sweeps
  const row = (name: string, wall: number, cpu: number, postgres: number): ReadonlyArray<string> => [
    name,
    Report.count(wall),
    Report.count(cpu),
    Report.count(postgres),
    Report.digits(1000 * (cpu + postgres) / records, 1)
  ]
  const ratio = (of: (one: Took, other: Clustered) => number): string =>
    Report.digits(
      100 * (Report.median(ones.flatMap((one, index) => {
        const other = others[index]
        return other === undefined ? [] : [of(one, other)]
      })) - 1),
      1
    )
  const table = Report.table(
    [
      `a day of ${Report.count(sweeps)} + ${Report.count(sweeps)} records`,
      "ms",
      "cpu ms",
      "cpu ms of PostgreSQL",
      "cpu µs a record"
    ],
    [
      row("reconcile --archive --book", medians(ones, "wall"), medians(ones, "cpu"), medians(ones, "postgres")),
      row(
        "cluster reconcile, one runner",
        medians(others, "wall"),
        medians(others, "cpu"),
        medians(others, "postgres")
      ),
      ["of it the runner alone", "", Report.count(medians(others, "runner"))]
    ]
  )
  return `${table}\n\nmore than one process, medians of the rounds: ${
    ratio((one, other) => other.wall / one.wall)
  } % of time, ` +
    `${ratio((one, other) => (other.cpu + other.postgres) / (one.cpu + one.postgres))} % of processor time, ` +
    `${
      ratio((one, other) => (other.runner + other.postgres) / (one.cpu + one.postgres))
    } % without the process that submits ` +
    `and prints; work began ${Report.count(medians(others, "begin"))} ms after it was submitted; it was begun ` +
    `${others.map(({ begun }) => begun).join(", ")} times, and tried again ${
      others.map(({ again }) => again).join(", ")
    } times`
}

const ended = async (desk: Desk.Desk, jobs: number): Promise<void> => {
  for (;;) {
    const [row] = await desk.ask(
      "SELECT count(*) FILTER (WHERE state = 'done')::int AS done, count(*) FILTER (WHERE state IN ('failed', 'cancelled'))::int AS failed " +
        "FROM tallystick_cluster_jobs"
    )
    if (Number(row?.["failed"]) > 0) throw new Error("a job failed")
    if (Number(row?.["done"]) === jobs) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Several days at once. */
const together = async (desk: Desk.Desk, { jobs, sweeps }: Asked): Promise<string> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const count of [1, 2, 3]) {
    const url = await desk.fresh()
    const runners = await Promise.all(Array.from({ length: count }, () => Runner.start(url)))
    const cpu = () => runners.reduce((sum, runner) => sum + runner.cpu(), 0)
    const [own, postgres] = [cpu(), desk.cpu()]
    for (let day = 0; day < jobs; day++) command(url, "cluster", "reconcile", "--detach", ...question(desk, day))
    await ended(desk, jobs)
    const took = { cpu: cpu() - own, postgres: desk.cpu() - postgres }
    const [row] = await desk.ask(
      "SELECT max(ended_at) - min(begun_at) AS ms, sum(begun)::int AS begun FROM tallystick_cluster_jobs"
    )
    const [wall, records] = [Number(row?.["ms"]), 2 * sweeps * jobs]
    const again = runners.reduce((sum, runner) => sum + runner.again(), 0)
    tell(`${count} runners`, { ...took, wall, again, begun: row?.["begun"] })
    rows.push([
      String(count),
      Report.count(wall),
      Report.count(1000 * records / wall),
      Report.digits(1000 * (took.cpu + took.postgres) / records, 1),
      `${Report.count(100 * took.postgres / (took.cpu + took.postgres))} %`,
      Report.count(again)
    ])
    await Promise.all(runners.map((runner) => runner.end()))
  }
  return Report.table(
    [`runners, ${jobs} days at once`, "ms", "records a second", "cpu µs a record", "of it PostgreSQL", "tried again"],
    rows
  )
}

/** Many jobs one after another: each day is declared anew. */
const memory = async (desk: Desk.Desk, { jobs, many }: Asked): Promise<string> => {
  const url = await desk.fresh()
  const runner = await Runner.start(url)
  const seen = [runner.memory()]
  for (let job = 0; job < many; job++) {
    command(url, "cluster", "reconcile", "--detach", "--declare", "--no-carry", ...question(desk, job % jobs))
    await ended(desk, job + 1)
    seen.push(runner.memory())
  }
  const [start, ...after] = seen.map(Math.round)
  await runner.end()
  return `MB of a runner at its start: ${start}; after each of ${many} jobs: ${after.join(", ")}`
}

const within = async (asked: Asked, days: number, work: (desk: Desk.Desk, asked: Asked) => Promise<string>) => {
  if (!existsSync(Runner.bundle)) {
    throw new Error("the command is not bundled: run `npx --yes pnpm@12 build` in the root")
  }
  // The day before what is asked was read too, and the one behind it.
  return Desk.within({ days: days + 2, sweeps: asked.sweeps }, (desk) => work(desk, asked))
}

export const cluster = (asked: Asked): Promise<string> => within(asked, BESIDE_RANGE, overhead)
export const clusterRunners = (asked: Asked): Promise<string> => within(asked, asked.jobs, together)
export const clusterMemory = (asked: Asked): Promise<string> => within(asked, asked.jobs, memory)
