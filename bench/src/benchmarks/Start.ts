/** How long the published command takes to say what it can do, beside a Node that does nothing. */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const bundle = path("../../../packages/cli/dist/bundle/main.js")
const sources = path("../../../packages/cli/src/main.ts")

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

const sample = ({ args, cached = false }: Contender, cache: string): Process.Metered =>
  Process.metered(args, cached ? { env: { NODE_COMPILE_CACHE: cache } } : {})

/** All take turns, so that a busy machine slows all alike; the first two rounds fill the caches and do not count. */
export const start = ({ rounds }: { readonly rounds: number }): string => {
  if (!existsSync(bundle)) throw new Error("the command is not bundled: run `npx --yes pnpm@12 build` in the root")
  const cache = mkdtempSync(join(tmpdir(), "tallystick-start-"))
  try {
    const samples = contenders.map((): Array<Process.Metered> => [])
    for (let round = -2; round < rounds; round++) {
      contenders.forEach((contender, index) => {
        const taken = sample(contender, cache)
        if (round >= 0) samples[index]?.push(taken)
      })
    }
    const rows = contenders.map(({ name }, index) => {
      const mine = samples[index] ?? []
      const [wall, cpu] = [mine.map(({ wallMs }) => wallMs), mine.map(({ cpuMs }) => cpuMs)].map(Report.median)
      return { name, wall: wall ?? Number.NaN, cpu: cpu ?? Number.NaN }
    })
    const [base] = rows
    return Report.table(
      ["", "ms", "of node", "cpu ms", "of node"],
      rows.map(({ cpu, name, wall }) => [
        name,
        Report.digits(wall, 1),
        `${Report.digits(wall / (base?.wall ?? Number.NaN), 2)} ×`,
        Report.digits(cpu, 1),
        `${Report.digits(cpu / (base?.cpu ?? Number.NaN), 2)} ×`
      ])
    )
  } finally {
    rmSync(cache, { recursive: true })
  }
}
