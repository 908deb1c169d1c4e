/** Notices are handed to a command: one run each, without a shell, with the notice on stdin. */
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as PlatformError from "effect/PlatformError"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import * as ArchiveConfig from "../../ArchiveConfig.ts"
import * as NoticeError from "../../NoticeError.ts"
import * as FailureCode from "./FailureCode.ts"
import type { Receiver } from "./Port.ts"

export interface CommandOptions {
  /** The program and its arguments, which no shell looks at. */
  readonly command: readonly [program: string, ...args: ReadonlyArray<string>]
  /** Variables of the environment that it does not get, beside those of the exchange's keys and of the archive's database. */
  readonly withhold?: ReadonlyArray<string>
  /** Default: false. */
  readonly details?: boolean
}

/** A command has so long for a notice. */
const TIME = Duration.seconds(20)

/** What is left of stderr when the command has ended has so long to come: a process that it left behind may hold it open. */
const REST = Duration.seconds(1)

/** So many bytes of stderr are kept; the rest is read and dropped, so that the command does not wait for a reader. */
const KEPT = 400

/** The variables that hold secrets: the command has no use for them. */
const SECRETS = [...BrokerConfig.variables, ...ArchiveConfig.variables].flatMap(({ name, secret }) =>
  secret === true ? [name] : []
)

/** Gives the beginning of a stream as text in one line. */
const beginning = (stream: Stream.Stream<Uint8Array, PlatformError.PlatformError>) =>
  stream.pipe(
    Stream.runFold(
      () => ({ chunks: [] as Array<Uint8Array>, length: 0 }),
      (kept, chunk) => {
        if (kept.length < KEPT) kept.chunks.push(chunk.slice(0, KEPT - kept.length))
        kept.length += chunk.length
        return kept
      }
    ),
    Effect.map(({ chunks }) => new TextDecoder().decode(Buffer.concat(chunks)).replaceAll(/\s+/g, " ").trim()),
    Effect.orElseSucceed(() => "")
  )

const UNRUN = "it could not be run"

/** Says why the command could not be run, in the operating system's own word. */
const detailOf = ({ reason }: PlatformError.PlatformError): string =>
  reason._tag === "NotFound"
    ? "there is no such command"
    : reason._tag === "PermissionDenied"
    ? "this user may not run it"
    : `${UNRUN} (${FailureCode.find(reason) ?? reason._tag})`

export const make = Effect.fnUntraced(function*(
  { command, details = false, withhold = [] }: CommandOptions
): Effect.fn.Return<Receiver, never, ChildProcessSpawner.ChildProcessSpawner> {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const [program, ...args] = command
  const withheld = Object.fromEntries([...SECRETS, ...withhold].map((name) => [name, undefined]))
  const undelivered = (detail: string, of: NoticeError.Undelivered["of"] = "receiver") =>
    new NoticeError.NoticeError({ reason: new NoticeError.Undelivered({ place: program, of, detail }) })

  const send = Effect.fnUntraced(
    function*(notice: string) {
      const handle = yield* spawner.spawn(ChildProcess.make(program, args, {
        stdin: Stream.make(new TextEncoder().encode(`${notice}\n`)),
        stdout: "ignore",
        env: withheld,
        extendEnv: true,
        forceKillAfter: REST
      }))
      const said = yield* Effect.forkScoped(beginning(handle.stderr))
      const exitCode = yield* handle.exitCode
      if (exitCode === 0) return yield* Effect.void
      const words = yield* Fiber.join(said).pipe(
        Effect.timeoutOrElse({ duration: REST, orElse: () => Effect.succeed("") })
      )
      return yield* undelivered(`it ended with exit code ${exitCode}${words === "" ? "" : `: ${words}`}`, "notice")
    },
    Effect.mapError((error) => error._tag === "NoticeError" ? error : undelivered(detailOf(error))),
    Effect.timeoutOrElse({
      duration: TIME,
      orElse: () => Effect.fail(undelivered(`it did not end within ${Duration.format(TIME)}`))
    }),
    Effect.scoped,
    // Node throws where the operating system refuses to start a program, but for a few reasons.
    Effect.catchDefect((defect) => Effect.fail(undelivered(FailureCode.behind(UNRUN, defect))))
  )
  const id = createHash("sha256").update(`command ${JSON.stringify(command)}`).digest("hex")
  return { id, place: program, hasDetails: details, send }
})
