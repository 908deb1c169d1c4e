/** The size of the packed packages in a bundle for a browser or a worker. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { assert, describe, inject, it } from "vitest"
import { libraries } from "./support/Packed.ts"

const { consumer } = inject("packed")

/** The minified bundle of a program in the project that installed the packages. */
const bundled = async (program: string): Promise<string> => {
  const file = join(mkdtempSync(join(consumer, "bundle-")), "program.js")
  writeFileSync(file, program)
  const build = await rolldown({
    cwd: consumer,
    input: file,
    external: /^node:/,
    platform: "neutral",
    resolve: { conditionNames: ["import", "default"] },
    logLevel: "silent"
  })
  const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false })
  await build.close()
  return output[0].code
}

const zipped = (code: string): number => gzipSync(code, { level: 9 }).length

const paging = `
  import * as Broker from "@tallystick/core/Broker"
  import * as Effect from "effect/Effect"
  import * as FetchHttpClient from "effect/http/FetchHttpClient"
  import * as Layer from "effect/Layer"
  import * as Stream from "effect/Stream"
  const program = Broker.Broker.use((broker) =>
    Stream.runForEach(broker.streamSubAccountDeposits({ from: 0, to: 1 }), (deposit) => Effect.log(deposit)))
  program.pipe(
    Effect.provide(Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))),
    Effect.runPromise
  )`

describe("bundled from the packed packages", () => {
  it("a minimal program that pages deposits stays within 90 KiB gzip", async () => {
    const size = zipped(await bundled(paging))
    assert.isAtMost(size, 90 * 1024)
    assert.isAbove(size, 40 * 1024)
  })

  it("a program that matches two sources of its own stays within 116 KiB gzip, and carries no client", async () => {
    const code = await bundled(`
      import * as Policy from "@tallystick/reconcile/Policy"
      import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
      import * as Effect from "effect/Effect"
      import * as Stream from "effect/Stream"
      Policy.make({ window: { after: "2 hours" } }).pipe(
        Effect.flatMap((policy) => Reconciliation.reconcile(Stream.empty, Stream.empty, { policy })),
        Effect.runPromise
      ).then(console.log)`)
    assert.isAtMost(zipped(code), 116 * 1024)
    assert.notInclude(code, "X-MEXC-APIKEY")
    assert.notInclude(code, "recvWindow")
  })

  it("the same over the barrel costs no more than a tenth of it beside", async () => {
    const deep = zipped(await bundled(paging))
    const barrel = zipped(
      await bundled(
        paging.replace("* as Broker from \"@tallystick/core/Broker\"", "{ Broker } from \"@tallystick/core\"")
      )
    )
    assert.isBelow(barrel, deep * 1.1)
  })

  it.for(libraries)("an import of @tallystick/%s that nothing uses leaves nothing", async (name) => {
    const code = await bundled(`
      import "@tallystick/${name}"
      import * as Barrel from "@tallystick/${name}"
      export const used = 1`)
    assert.isBelow(code.length, 100, code.slice(0, 500))
  })

  it("a client of ReportApi brings along no server, and stays within 76 KiB gzip", async () => {
    const code = await bundled(`
      import * as ReportApi from "@tallystick/report/ReportApi"
      import * as Effect from "effect/Effect"
      import * as HttpApi from "effect/http-api/HttpApi"
      import * as HttpApiClient from "effect/http-api/HttpApiClient"
      import * as FetchHttpClient from "effect/http/FetchHttpClient"
      const Api = HttpApi.make("own").add(ReportApi.ReportApi)
      const program = Effect.gen(function*() {
        const client = yield* HttpApiClient.make(Api, { baseUrl: "https://books.example" })
        yield* Effect.log((yield* client.tallystick.summary()).clean)
      })
      program.pipe(Effect.provide(FetchHttpClient.layer), Effect.runPromise)`)
    // What the builder of handlers says, and what the masking writes.
    assert.notInclude(code, "already registered in HttpApiGroup")
    assert.notInclude(code, "tallystick/report/Reports")
    assert.isAtMost(zipped(code), 76 * 1024)
  })

  it("a pure function brings along neither Effect's runtime nor the rest of its package", async () => {
    const code = await bundled(`
      import * as Amount from "@tallystick/core/Amount"
      export const same = (a, b) => Amount.compare(a, b) === 0`)
    assert.isBelow(code.length, 5_000)
    const fromBarrel = await bundled(`
      import { Amount } from "@tallystick/core"
      export const same = (a, b) => Amount.compare(a, b) === 0`)
    assert.isBelow(fromBarrel.length, code.length * 1.1)
  })
})
