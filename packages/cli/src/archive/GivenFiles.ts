/** Says which files the flags of a command named, so that the commands of its report name them again. Settings count without being named. */
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Configured from "../config/Configured.ts"
import * as Setting from "../config/Setting.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import type * as InputFlags from "../flags/InputFlags.ts"
import * as Inputs from "../flags/Inputs.ts"

export interface Flags
  extends ArchiveFlag.Flags, Partial<Pick<InputFlags.Flags, "accounts" | "addresses" | "policy">>
{}

type Given = NonNullable<Report.Identity["given"]>

const inputs = ["policy", "accounts", "addresses"] as const

/** Gives the files in the order in which a command names them. */
export const of = Effect.fnUntraced(function*(flags: Flags): Effect.fn.Return<Given> {
  const { file } = yield* Configured.Configured
  const named: Given = [
    ...(file?.isNamed === true ? [{ flag: "config" as const, file: file.path }] : []),
    ...Option.toArray(flags.archiveFile).map((file) => ({ flag: "archive-file" as const, file }))
  ]
  const asked = yield* Effect.forEach(inputs, (flag) => {
    const given = flags[flag] ?? Option.none()
    return Effect.map(
      Inputs.isGiven(given, Setting.inputs[flag]),
      (isGiven): Given => isGiven ? Option.toArray(given).map((file) => ({ flag, file })) : []
    )
  })
  return [...named, ...asked.flat()]
})
