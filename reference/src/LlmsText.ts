/** `llms.txt`: the documents in their order, for language models (llmstxt.org). It is made of `docs/README.md`. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type * as Generated from "./Generated.ts"
import * as Index from "./Index.ts"

const SUMMARY =
  "Reconciles deposits of an exchange's sub-accounts with the transfers that move them to the master: a typed client of the " +
  "exchange, an engine that never states a match that the records do not prove, an archive with ledger, books and periods, and the command `tallystick`."

const listed = (index: string): ReadonlyArray<string> =>
  Index.sections(index).flatMap(({ items, title }) => ["", `## ${title}`, ""].concat(items.map((item) => `- ${item}`)))

export const file: Effect.Effect<Generated.Generated, unknown> = Effect.gen(function*() {
  const fileSystem = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const index = yield* fileSystem.readFileString(
    yield* paths.fromFileUrl(new URL("../../docs/README.md", import.meta.url))
  )
  return { path: "llms.txt", text: `${["# Tallystick", "", `> ${SUMMARY}`, ...listed(index)].join("\n")}\n` }
}).pipe(Effect.provide(NodeServices.layer))
