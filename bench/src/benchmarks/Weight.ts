/** What a program carries and loads: its bundle for a browser, and the import of its modules, beside what Effect alone takes. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

interface Program {
  readonly name: string
  /** The modules that it imports, by the names that it gives them. */
  readonly modules: Readonly<Record<string, string>>
  readonly code: string
}

const effect = { Effect: "effect/Effect", Layer: "effect/Layer", Stream: "effect/Stream", Schema: "effect/Schema" }
const fetching = { FetchHttpClient: "effect/http/FetchHttpClient", HttpClient: "effect/http/HttpClient" }

const programs: ReadonlyArray<Program> = [
  {
    name: "Effect alone: schemas, streams, fetch, settings",
    modules: { ...effect, ...fetching, Config: "effect/Config" },
    code: `const page = HttpClient.get("http://x").pipe(Effect.flatMap((answer) => answer.json),
      Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ at: Schema.Int })))))
      Config.String("X").pipe(Effect.andThen(Stream.runCount(Stream.fromIterableEffect(page))),
      Effect.provide(FetchHttpClient.layer), Effect.runPromise)`
  },
  {
    name: "page deposits: Broker",
    modules: { ...effect, Broker: "@tallystick/core/Broker", FetchHttpClient: fetching.FetchHttpClient },
    code: `Broker.Broker.use((broker) => Stream.runCount(broker.streamSubAccountDeposits({ from: 0, to: 1 }))).pipe(
      Effect.provide(Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))), Effect.runPromise)`
  },
  {
    name: "match two sources of one's own: Reconciliation",
    modules: {
      ...effect,
      Reconciliation: "@tallystick/reconcile/Reconciliation",
      Policy: "@tallystick/reconcile/Policy"
    },
    code: `Policy.make({ window: { after: "2 hours" } }).pipe(
      Effect.flatMap((policy) => Reconciliation.reconcile(Stream.empty, Stream.empty, { policy })),
      Effect.runPromise).then(console.log)`
  },
  {
    name: "match arrays: Matching",
    modules: { Matching: "@tallystick/reconcile/Matching", Policy: "@tallystick/reconcile/Policy" },
    code: `console.log(Matching.match({ deposits: [], transfers: [], bad: [], coverage: [], policy: Policy.defaults,
      accounts: { list: [], complete: false } }))`
  },
  {
    name: "reconcile what the exchange shows: BrokerReconciliation",
    modules: {
      ...effect,
      Broker: "@tallystick/core/Broker",
      BrokerReconciliation: "@tallystick/reconcile/BrokerReconciliation",
      FetchHttpClient: fetching.FetchHttpClient
    },
    code: `BrokerReconciliation.run({ range: { from: 0, to: 1 }, accounts: { list: ["a"], complete: true } }).pipe(
      Effect.provide(Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))), Effect.runPromise)`
  }
]

const imports = ({ modules }: Program): string =>
  Object.entries(modules).map(([name, module]) => `import * as ${name} from "${module}"\n`).join("")

/** A project in which the packages are installed as they are packed. */
const project = (): string => {
  const root = mkdtempSync(join(tmpdir(), "tallystick-weight-"))
  for (const name of ["core", "reconcile"]) {
    const [from, to] = [path(`../../../packages/${name}`), join(root, "node_modules/@tallystick", name)]
    mkdirSync(to, { recursive: true })
    cpSync(join(from, "dist"), join(to, "dist"), { recursive: true })
    const { publishConfig, ...manifest } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"))
    writeFileSync(join(to, "package.json"), JSON.stringify({ ...manifest, exports: publishConfig.exports }))
  }
  symlinkSync(path("../../../node_modules/effect"), join(root, "node_modules/effect"), "dir")
  writeFileSync(join(root, "package.json"), "{ \"type\": \"module\" }")
  return root
}

const bundled = async (root: string, input: string): Promise<string> => {
  const build = await rolldown({
    cwd: root,
    input,
    external: /^node:/,
    platform: "neutral",
    resolve: { conditionNames: ["import", "default"] },
    logLevel: "silent"
  })
  const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false })
  await build.close()
  return output[0].code
}

/** All take turns, so that a busy machine slows all alike; the first round fills the caches and does not count. */
export const weight = async ({ rounds }: { readonly rounds: number }): Promise<string> => {
  const root = project()
  try {
    const files = programs.map((program, index) => {
      const [whole, loads] = [join(root, `${index}.js`), join(root, `${index}-imports.js`)]
      writeFileSync(whole, imports(program) + program.code)
      writeFileSync(loads, imports(program))
      return { whole, loads }
    })
    const nothing = join(root, "nothing.js")
    writeFileSync(nothing, "")
    const times = [nothing, ...files.map(({ loads }) => loads)].map((file) => ({ file, samples: new Array<number>() }))
    for (let round = -1; round < rounds; round++) {
      for (const { file, samples } of times) {
        const { cpuMs } = Process.metered([file])
        if (round >= 0) samples.push(cpuMs)
      }
    }
    const [base, ...mine] = times.map(({ samples }) => Report.median(samples))
    const codes = await Promise.all(files.map(({ whole }) => bundled(root, whole)))
    const kib = (bytes: number): string => Report.digits(bytes / 1024, 1)
    return Report.table(
      ["", "KiB gzip", "KiB", "import, cpu ms"],
      programs.map(({ name }, index) => {
        const code = codes[index] ?? ""
        return [
          name,
          kib(gzipSync(code, { level: 9 }).length),
          kib(code.length),
          Report.digits((mine[index] ?? Number.NaN) - (base ?? Number.NaN), 0)
        ]
      })
    )
  } finally {
    rmSync(root, { recursive: true })
  }
}
