/** Finds the kind of outcome that a code belongs to. */
import * as Outcome from "../../../Outcome.ts"

const kinds = new Map<Outcome.Code, Outcome.Kind>(
  Outcome.Kind.literals.flatMap((kind) => Outcome.codes[kind].map((code) => [code, kind] as const))
)

export const of = (code: Outcome.Code): Outcome.Kind => kinds.get(code) ?? "discrepancy"
