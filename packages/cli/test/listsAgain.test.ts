/** What a watch takes for the list of accounts while somebody writes the file. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { writeFileSync } from "node:fs"
import * as Inputs from "../src/flags/Inputs.ts"
import * as ListsAgain from "../src/flags/ListsAgain.ts"
import { directory, layerFiles } from "./support/Run.ts"
import { inTime } from "./support/SyncRound.ts"

it.layer(layerFiles)("a file of accounts that is read again", (it) => {
  /** Reads the file once as it is, and then again while it is written: each reading finds the next of these texts. */
  const read = Effect.fnUntraced(function*(texts: ReadonlyArray<string>, times: number) {
    const { put } = yield* directory
    const file = yield* put("accounts.txt", texts[0] ?? "")
    const fileSystem = yield* FileSystem.FileSystem
    let next = 1
    const written = Effect.sync(() => {
      const text = texts[next++]
      if (text !== undefined) writeFileSync(file, text)
    })
    return yield* Effect.gen(function*() {
      const flags = { accounts: Option.some(file), addresses: Option.none<string>() }
      const lists = yield* ListsAgain.make(flags, yield* Inputs.told(flags))
      return yield* Effect.replicateEffect(lists, times)
    }).pipe(
      Effect.provideService(FileSystem.FileSystem, {
        ...fileSystem,
        stream: (...args) => Stream.ensuring(fileSystem.stream(...args), written)
      }),
      Effect.provide(Stdio.layerTest({})),
      inTime
    )
  })

  const whole = "sub00001\nsub00002\nsub00003\n"

  it.effect("counts once a moment has not changed it, and until then the former list does, of which nothing is said", () =>
    Effect.gen(function*() {
      for (const half of ["sub00001\nsub0", "sub00001\n", "", "sub00001\nsub00002 "]) {
        const [during, after] = yield* read(["sub00001\nsub00002\n", half, whole], 2)
        assert.deepStrictEqual([during?.told.accounts.list, during?.problem, during?.changes], [
          ["sub00001", "sub00002"],
          undefined,
          []
        ])
        assert.deepStrictEqual([after?.told.accounts.list, after?.problem, after?.changes], [
          ["sub00001", "sub00002", "sub00003"],
          undefined,
          ["1 account is new in the list: sub00003"]
        ])
      }
    }))
})
