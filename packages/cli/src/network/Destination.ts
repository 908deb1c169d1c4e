/**
 * Names the address that a command is about to ask, where it comes from a configuration file that was found and not named: it
 * may be a stranger's.
 */
import * as Effect from "effect/Effect"
import * as Configured from "../config/Configured.ts"
import * as Stderr from "../terminal/Stderr.ts"

/** Only the place of an address: the rest may hold secrets. */
const placeOf = (address: string): string => {
  const url = URL.parse(address)
  return url === null ? "the service" : `${url.origin}${url.pathname.replace(/\/$/, "")}`
}

/** `asking https://api.example.com (baseUrl of tallystick.json)`; a quiet command does not say it. */
export const tell = Effect.gen(function*() {
  const { file } = yield* Configured.Configured
  const baseUrl = yield* Configured.value("TALLYSTICK_BASE_URL")
  if (file === undefined || file.isNamed || baseUrl?.source._tag !== "File") return
  yield* Stderr.say(`asking ${placeOf(baseUrl.value)} (baseUrl of ${file.path})`)
})

/** The same before what asks. */
export const told = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => Effect.andThen(tell, effect)
