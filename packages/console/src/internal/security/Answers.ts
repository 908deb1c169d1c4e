/** Says what is wrong with a request that cannot be read. Nothing of it is repeated: it may be a secret. */
import * as Effect from "effect/Effect"
import * as ErrorReporter from "effect/ErrorReporter"
import * as HttpApiError from "effect/http-api/HttpApiError"
import * as Layer from "effect/Layer"
import * as SchemaIssue from "effect/SchemaIssue"
import type { unhandled } from "effect/Types"
import { InvalidRequest } from "../../ConsoleError.ts"
import * as Access from "../api/Access.ts"

const issues = SchemaIssue.makeFormatterStandardSchemaV1()

/** A name that the console does not know may be a secret in the wrong place: a long or odd one is not repeated. */
const shown = (name: string): string => /^\w{1,24}$/.test(name) ? name : "…"

const invalid = ({ cause, kind }: HttpApiError.HttpApiSchemaError): InvalidRequest => {
  const found = issues(cause.issue).issues.map(({ message, path = [] }) => {
    const names = path.map((step) => shown(String(typeof step === "object" ? step.key : step)))
    return { path: [kind.toLowerCase(), ...names].join("."), message }
  })
  return new InvalidRequest({
    message: found.map(({ message, path }) => `${path}: ${message}`).join("\n"),
    issues: found
  })
}

export const layer = Layer.succeed(Access.Answers, (answer) =>
  Effect.catch(
    answer,
    (error): Effect.Effect<never, InvalidRequest | unhandled> =>
      HttpApiError.HttpApiSchemaError.is(error) && error[ErrorReporter.ignore]
        ? Effect.fail(invalid(error))
        : Effect.fail(error)
  ))
