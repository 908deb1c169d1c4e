/** The work of `tallystick console`. */
import * as ConsoleServer from "@tallystick/console/ConsoleServer"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Configured from "../config/Configured.ts"
import * as Exposure from "../config/Exposure.ts"
import * as OpenFiles from "../config/OpenFiles.ts"
import * as Setting from "../config/Setting.ts"
import * as Variables from "../config/Variables.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import * as Output from "../output/Output.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags extends ArchiveFlag.Flags, AuthorFlags.Flags {
  readonly host: string
  readonly port: number
  readonly users: Option.Option<string>
  readonly publicOrigin: Option.Option<string>
  readonly readOnly: boolean
}

/** A console asks the exchange for nothing: a key that it could read is one that somebody could take from it. */
const keyless = Effect.gen(function*() {
  const keys = Setting.settings.filter(({ choice, form, purpose }) =>
    purpose === "service" && choice !== undefined && (form === "secret" || form === "path")
  )
  const found: Array<OpenFiles.OpenFile> = []
  for (const { variable } of keys) {
    if ((yield* Configured.value(variable)) === undefined) continue
    found.push({
      finding: `${yield* Configured.nameOf(variable)} is set, and the console needs no key of the exchange`,
      advice: "start it without"
    })
  }
  yield* OpenFiles.judged(found)
})

/** The people of the file, or the one who starts it. */
const people = Effect.fnUntraced(function*(flags: Flags) {
  const publicOrigin = Option.getOrUndefined(flags.publicOrigin)
  if (Option.isNone(flags.users)) {
    if (publicOrigin !== undefined) {
      return yield* Failure.usage("--public-origin needs --users: people sign in where others can reach the console")
    }
    const { by, identity } = yield* AuthorFlags.author(flags)
    return { _tag: "Desk" as const, author: { name: by, identity } }
  }
  if (Option.isSome(flags.by)) {
    return yield* Failure.usage("--by does not go with --users: each decision bears the name of who signed in")
  }
  const file = flags.users.value
  const mode = yield* Exposure.modeAt(file, Exposure.ofSecret)
  yield* OpenFiles.judged(
    mode === undefined ? [] : [{
      finding: `others than its owner may open ${file}, which says who may sign in (mode ${mode})`,
      advice: `chmod 600 ${file}`
    }]
  )
  return { _tag: "Users" as const, file, ...publicOrigin === undefined ? {} : { publicOrigin } }
})

const serve = Effect.fnUntraced(function*(flags: Flags) {
  const { host, port, readOnly } = flags
  const { depositHistory } = yield* Effect.catch(
    Variables.conventions,
    (error) => Effect.flatMap(Configured.failure(error), Effect.fail)
  )
  const options = { people: yield* people(flags), host, port, readOnly, depositHistory }
  const { local, opening, origin } = yield* ConsoleServer.serve(options)
  yield* Stderr.say(
    `The console is open. People open its page; ${local}/docs tells programs what it answers. Ctrl-C stops it.`
  )
  if (opening === undefined) {
    if (origin !== local) yield* Stderr.say(`The proxy of ${origin} passes requests on to ${local}.`)
    yield* Output.toStdout(Stream.make(`${origin}\n`))
  } else {
    yield* Stderr.say("The token behind # opens a session once; give it to nobody, for the session acts in your name.")
    yield* Output.toStdout(Stream.make(`${Redacted.value(opening)}\n`))
  }
  return yield* Effect.never
})

export const run = (flags: Flags) =>
  serve(flags).pipe(
    Effect.scoped,
    Effect.catchTags({
      UnsafeOptions: ({ message }) => Effect.fail(Failure.usage(message)),
      ServeError: () => Effect.fail(Failure.usage(`the console cannot listen on port ${flags.port} of ${flags.host}`))
    }),
    (served) =>
      flags.readOnly ? ArchivePlace.withReadArchive(flags)(served) : ArchivePlace.withKeptArchive(flags)(served),
    (served) => Effect.andThen(keyless, served)
  )
