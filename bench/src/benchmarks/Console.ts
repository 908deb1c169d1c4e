/** The console as a process of its own: its start, pages of items by many readers over HTTP, and its memory. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Seeded from "../books/Seeded.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

export interface Asked {
  /** So many entries wait. */
  readonly open: number
  /** So many outcomes are settled. */
  readonly settled: number
  readonly readers: number
  /** So often each reader asks each question. */
  readonly rounds: number
}

const bundle = fileURLToPath(new URL("../../../packages/cli/dist/bundle/main.js", import.meta.url))

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10

interface Console {
  readonly address: URL
  /** From its start until it printed its address, ms. */
  readonly startMs: number
  /** Processor time until now, ms. */
  readonly cpuMs: () => number
  /** A line of the kernel's account of the process, MB. */
  readonly memory: (line: "RssAnon" | "VmHWM" | "VmRSS") => number
  readonly end: () => Promise<void>
}

/** Starts a server that prints its address. */
const started = async (args: ReadonlyArray<string>): Promise<Console> => {
  const before = performance.now()
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] })
  // A benchmark that fails leaves no server behind.
  process.once("exit", () => child.kill())
  const [printed]: ReadonlyArray<unknown> = await once(child.stdout, "data")
  const startMs = performance.now() - before
  const account = (name: string): string => readFileSync(`/proc/${child.pid}/${name}`, "utf8")
  return {
    address: new URL(String(printed).trim()),
    startMs,
    cpuMs: () => {
      const fields = account("stat").replace(/^.*\) /, "").split(" ")
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS
    },
    memory: (line) => Number(new RegExp(`^${line}:\\s+(\\d+)`, "m").exec(account("status"))?.[1]) / 1024,
    end: async () => {
      child.kill("SIGTERM")
      await once(child, "close")
    }
  }
}

interface Question {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const ask = (origin: string, agent: Agent, { body, headers = {}, method = "GET", path }: Question): Promise<string> =>
  new Promise((resolve, reject) => {
    const sized = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
    const sent = request(`${origin}${path}`, { method, agent, headers: { ...headers, ...sized } }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8")
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${path} was answered with ${response.statusCode}: ${text.slice(0, 300)}`))
      })
    })
    sent.on("error", reject)
    sent.end(body)
  })

/** The value below which so many of a hundred lie. */
const percentile = (values: ReadonlyArray<number>, hundredths: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * hundredths / 100) - 1] ?? Number.NaN

const questions = (open: number): Readonly<Record<string, (turn: number) => string>> => ({
  "the oldest": () => "/api/items?by=age",
  "most worth": () => "/api/items?by=worth",
  "one code (5 %), by worth": () => "/api/items?by=worth&code=in-flight",
  "one account (1 %), by worth": () => "/api/items?by=worth&account=sub-007",
  "one asset (2 %), by worth": () => "/api/items?by=worth&asset=A48",
  "accounts (10 %), by age": () => "/api/items?by=age&text=sub-00",
  "a whole id": (turn) => `/api/items?text=${Seeded.idOf(turn * 7919 % open)}`,
  "the summary": () => "/api/items/summary"
})

/** A person reads a page for so long before the next one, ms: 20 of them ask some twenty times a second. */
const READS = 1000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const consoleOf = async ({ open, readers, rounds, settled }: Asked): Promise<string> => {
  if (!existsSync(bundle)) throw new Error("the command is not bundled: run `npx --yes pnpm@12 build` in the root")
  const scratch = mkdtempSync(join(tmpdir(), "tallystick-bench-console-"))
  const file = join(scratch, "items.db")
  try {
    await Seeded.make(file, { open, settled, decisions: 5000, closes: 90 })
    // What waits is written into its list once, by the first command that may write.
    await Process.run(process.execPath, [bundle, "archive", "status", "--archive-file", file], { accepted: [0, 1] })
    const serve = [bundle, "console", "--archive-file", file, "--port", "0", "--by", "clerk"]
    const starts: Array<readonly [wall: number, cpu: number]> = []
    for (let turn = -1; turn < 5; turn++) {
      const one = await started(serve)
      if (turn >= 0) starts.push([one.startMs, one.cpuMs()])
      await one.end()
    }
    const bare = await started([path("../books/bareConsole.ts"), file])
    const served = await started(serve)
    const { hash, origin } = served.address
    const first = new Agent({ keepAlive: true })
    const exchanged: { readonly bearer: string } = JSON.parse(
      await ask(origin, first, {
        method: "POST",
        path: "/api/session/exchange",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token: hash.replace("#token=", "") })
      })
    )
    first.destroy()
    const headers = { authorization: `Bearer ${exchanged.bearer}` }
    const atStart = served.memory("VmRSS")
    const rows: Array<ReadonlyArray<string>> = []
    for (const [name, pathOf] of Object.entries(questions(open))) {
      const figures = []
      for (const { address, cpuMs } of name === "the summary" ? [served] : [served, bare]) {
        const before = cpuMs()
        const took: Array<number> = []
        await Promise.all(Array.from({ length: readers }, async (_, reader) => {
          const agent = new Agent({ keepAlive: true, maxSockets: 1 })
          // They do not all begin at once.
          await pause(reader * READS / readers)
          for (let round = 0; round < rounds; round++) {
            const asked = performance.now()
            await ask(address.origin, agent, { path: pathOf(reader * rounds + round), headers })
            took.push(performance.now() - asked)
            await pause(READS)
          }
          agent.destroy()
        }))
        figures.push(
          Report.digits(percentile(took, 50), 1),
          Report.digits(percentile(took, 95), 1),
          Report.digits((cpuMs() - before) / took.length, 1)
        )
      }
      rows.push([name, ...figures])
    }
    const [wall, cpu] = [starts.map(([ms]) => ms), starts.map(([, ms]) => ms)].map(Report.median)
    const memory = [atStart, served.memory("VmRSS"), served.memory("VmHWM"), served.memory("RssAnon")]
    await bare.end()
    await served.end()
    const table = Report.table(
      [
        `${Report.count(open)} items, ${readers} readers`,
        "median ms",
        "p95 ms",
        "cpu ms",
        "by hand ms",
        "p95 ms",
        "cpu ms"
      ],
      rows
    )
    return `${table}\n\nstart: ${Report.digits(wall ?? Number.NaN, 0)} ms, ${
      Report.digits(cpu ?? Number.NaN, 0)
    } ms of processor time; ` +
      `MB resident at the start, at the end, and at most: ${memory.slice(0, 3).map(Math.round).join(", ")}; ` +
      `of those at the end ${Math.round(memory[3] ?? Number.NaN)} are its own, and the others are parts of files`
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
