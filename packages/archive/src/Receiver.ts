/** A receiver takes notices: a web address, or a command of this machine. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Result from "effect/Result"
import * as CommandReceiver from "./internal/notices/CommandReceiver.ts"
import * as HttpReceiver from "./internal/notices/HttpReceiver.ts"
import type { Receiver } from "./internal/notices/Port.ts"
import type { NoticeError } from "./NoticeError.ts"

export type { CommandOptions } from "./internal/notices/CommandReceiver.ts"
export type { UrlOptions } from "./internal/notices/HttpReceiver.ts"
export type { Receiver } from "./internal/notices/Port.ts"

/**
 * Notices are posted as JSON, one in a request. Any 2xx answer says that the notice arrived; of its body at most 16 KiB are read,
 * and nothing is made of them. The client must not go through a proxy for plain http: the token and the notice are in clear. With
 * `NODE_USE_ENV_PROXY=1` Node's fetch does, but for what `NO_PROXY` names. Fails with `InvalidReceiver`.
 */
export const url: (options: HttpReceiver.UrlOptions) => Effect.Effect<Receiver, NoticeError, HttpClient.HttpClient> =
  HttpReceiver.make

/** Says why notices cannot be sent to an address; nothing where they can. */
export const problemOfUrl = (url: string): string | undefined =>
  Result.match(HttpReceiver.check(url), { onFailure: (problem) => problem, onSuccess: () => undefined })

/**
 * The command is run once for each notice, which it reads from stdin as JSON: exit code 0 says that it took it. It is killed after 20
 * seconds, with what it started. It has the environment of this process without secrets of Tallystick. What it writes to stdout is
 * lost; the beginning of stderr stands in the error.
 */
export const command: (
  options: CommandReceiver.CommandOptions
) => Effect.Effect<Receiver, never, ChildProcessSpawner.ChildProcessSpawner> = CommandReceiver.make
