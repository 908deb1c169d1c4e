/** A file of what somebody wants to decide: an act a line, as JSON. One mistake refuses the file, with its line. */
import * as Decision from "@tallystick/archive/Decision"
import * as JsonSyntax from "@tallystick/reconcile/rows/JsonSyntax"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Failure from "../Failure.ts"
import * as InputFile from "./InputFile.ts"
import * as SettingFile from "./SettingFile.ts"

const decode = SettingFile.decode(Decision.Act)

export interface ActFile {
  readonly acts: ReadonlyArray<Decision.Act>
  /** Where an act stands: `decisions.ndjson, line 3`. */
  readonly placeOf: (index: number) => string
}

export const read = Effect.fnUntraced(function*(path: string) {
  const { name, text } = yield* InputFile.records(path)
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/).flatMap((line, index) =>
    line.trim() === "" ? [] : [{ line, place: `${name}, line ${index + 1}` }]
  )
  if (lines.length === 0) return yield* Failure.usage(`${name} holds no decision`)
  const acts = yield* Effect.forEach(
    lines,
    ({ line, place }) =>
      Effect.fromResult(Result.mapError(JsonSyntax.parse(line), ({ reason }) => Failure.usage(`${place}: ${reason}`)))
        .pipe(
          Effect.flatMap((value) => decode(value, place))
        )
  )
  return { acts, placeOf: (index) => lines[index]?.place ?? name } satisfies ActFile
})
