/** Signs people in: by the token of the printed address, once, or by a name and a token of the file of users. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import { TooManyLogins, Unauthenticated, Unavailable } from "../../ConsoleError.ts"
import * as TokenHash from "../../TokenHash.ts"
import * as Attempts from "./Attempts.ts"
import type { Directory, Known } from "./Directory.ts"
import * as Secret from "./Secret.ts"
import * as UnderWay from "./UnderWay.ts"

/** So many hashes are computed at once, each with 16 MiB or more, and so many logins wait for that. */
const AT_ONCE = 2
const WAITING = 32

/** So many logins of one address are checked at once, and no more than may fail before it waits. */
const OF_ONE = 4

export interface Service {
  /** Exchanges the token of the printed address. */
  readonly exchange: (token: Redacted.Redacted) => Effect.Effect<Known, Unauthenticated | Unavailable>
  /** Signs in from an address. */
  readonly login: (asked: {
    readonly address: string
    readonly name: string
    readonly token: Redacted.Redacted
  }) => Effect.Effect<Known, Unauthenticated | TooManyLogins | Unavailable>
}

/** The one at the desk, and the token that the printed address has. */
export interface Desk {
  readonly known: Known
  readonly token: Redacted.Redacted
}

const refused = (message: string) => Effect.fail(new Unauthenticated({ message }))

const atDesk = ({ known, token }: Desk): Service["exchange"] => {
  const digest = Secret.digest(token)
  let isOpen = true
  return (given) =>
    Effect.suspend(() => {
      if (!Secret.isSame(given, digest)) return refused("This is not the token of the printed address.")
      if (!isOpen) return refused("The token of the printed address was exchanged already: start the console again.")
      isOpen = false
      return Effect.succeed(known)
    })
}

const ofUsers = Effect.fnUntraced(function*(directory: Directory) {
  const attempts = Attempts.make()
  const computing = yield* Semaphore.make(AT_ONCE)
  // A name that nobody has takes as long as a wrong token.
  const { hash: nobody } = yield* TokenHash.issue
  const checked = UnderWay.make()
  const computed = UnderWay.make()

  /** Counts the logins of an address that are checked at this moment. */
  const ofAddress = Effect.fnUntraced(function*(from: string) {
    const message = "Other logins from this address are being checked: try again in a second."
    const most = Math.min(yield* attempts.left(from), OF_ONE)
    yield* checked.within(from, most, () => new Unavailable({ message }))
  })

  /** Counts the logins that wait for a hash to be computed, and those whose hash is. */
  const ofAll = computed.within(
    "all",
    WAITING,
    () => new Unavailable({ message: "Too many people sign in at once: try again in a second." })
  )

  const verified = (token: Redacted.Redacted, hash: string) =>
    Effect.scoped(Effect.andThen(ofAll, computing.withPermit(TokenHash.verify(token, hash))))

  const check = Effect.fnUntraced(function*(
    { from, name, token }: { readonly from: string; readonly name: string; readonly token: Redacted.Redacted }
  ) {
    const wait = yield* attempts.wait(from)
    if (Option.isSome(wait)) {
      const retryAfter = wait.value
      const message = `Too many logins failed from this address: it may try again in ${retryAfter} s.`
      return yield* new TooManyLogins({ retryAfter, message })
    }
    const known = yield* directory.find(name)
    const isRight = yield* verified(token, Option.match(known, { onNone: () => nobody, onSome: ({ hash }) => hash }))
    if (Option.isNone(known) || !isRight) {
      yield* attempts.failed(from)
      return yield* refused("Nobody has this name and this token.")
    }
    yield* attempts.succeeded(from)
    return known.value
  })

  const login: Service["login"] = ({ address, ...asked }) => {
    const from = Attempts.subscriber(address)
    // A hash is computed to its end whether or not somebody waits for it: so it keeps its place that long, and a failure counts.
    return Effect.scoped(Effect.andThen(ofAddress(from), Effect.uninterruptible(check({ from, ...asked }))))
  }
  return login
})

export class Logins extends Context.Service<Logins, Service>()("@tallystick/console/internal/Logins") {
  /** One person at the desk. */
  static readonly layerDesk = (desk: Desk): Layer.Layer<Logins> =>
    Layer.succeed(
      Logins,
      Logins.of({
        exchange: atDesk(desk),
        login: () => refused("This console has no file of users: it is opened by the address that it printed.")
      })
    )

  /** The people of a directory. */
  static readonly layerUsers = (directory: Directory): Layer.Layer<Logins> =>
    Layer.effect(
      Logins,
      Effect.map(ofUsers(directory), (login) =>
        Logins.of({
          exchange: () => refused("This console has a file of users: sign in by name and token."),
          login
        }))
    )
}
