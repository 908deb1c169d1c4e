/** How long the published command takes to say what it can do, beside a Node that does nothing. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Report from "../Report.ts"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const bundle = path("../../../packages/cli/dist/bundle/main.js")
const sources = path("../../../packages/cli/src/main.ts")

/** Writes the processor time of its own process, all threads, to descriptor 3 as it ends. */
const meter = path("../meter.cjs")

interface Contender {
  readonly name: string
  readonly args: ReadonlyArray<string>
  readonly cached?: boolean
}

const contenders: ReadonlyArray<Contender> = [
  { name: "node -e 0", args: ["-e", "0"] },
  { name: "tallystick --help", args: [bundle, "--help"] },
  { name: "tallystick --version", args: [bundle, "--version"] },
  { name: "tallystick reconcile --help", args: [bundle, "reconcile", "--help"] },
  { name: "tallystick --help, NODE_COMPILE_CACHE", args: [bundle, "--help"], cached: true },
  { name: "tallystick --help, from the sources", args: [sources, "--help"] }
]

interface Sample {
  readonly wall: number
  readonly cpu: number
}

const sample = ({ args, cached = false }: Contender, cache: string): Sample => {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const begin = performance.now()
  const { output, status } = spawnSync(process.execPath, ["--require", meter, ...args], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
    env: cached ? { ...env, NODE_COMPILE_CACHE: cache } : env
  })
  const wall = performance.now() - begin
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`)
  const { system, user } = JSON.parse(String(output[3]))
  return { wall, cpu: (user + system) / 1000 }
}

/** All take turns, so that a busy machine slows all alike; the first two rounds fill the caches and do not count. */
export const start = ({ rounds }: { readonly rounds: number }): void => {
  if (!existsSync(bundle)) throw new Error("the command is not bundled: run `npx --yes pnpm@12 build` in the root")
  const cache = mkdtempSync(join(tmpdir(), "tallystick-start-"))
  try {
    const samples = contenders.map((): Array<Sample> => [])
    for (let round = -2; round < rounds; round++) {
      contenders.forEach((contender, index) => {
        const taken = sample(contender, cache)
        if (round >= 0) samples[index]?.push(taken)
      })
    }
    const rows = contenders.map(({ name }, index) => {
      const mine = samples[index] ?? []
      return { name, wall: Report.median(mine.map(({ wall }) => wall)), cpu: Report.median(mine.map(({ cpu }) => cpu)) }
    })
    const [base] = rows
    console.log(Report.table(
      ["", "ms", "of node", "cpu ms", "of node"],
      rows.map(({ cpu, name, wall }) => [
        name,
        Report.digits(wall, 1),
        `${Report.digits(wall / (base?.wall ?? Number.NaN), 2)} ×`,
        Report.digits(cpu, 1),
        `${Report.digits(cpu / (base?.cpu ?? Number.NaN), 2)} ×`
      ])
    ))
  } finally {
    rmSync(cache, { recursive: true })
  }
}
