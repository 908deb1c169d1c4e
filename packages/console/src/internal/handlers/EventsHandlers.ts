/** Tells those who watch what changes. The archive is looked at once a second while anybody watches, however many do. */
import * as Archive from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { ConsoleApi } from "../../ConsoleApi.ts"
import { Unavailable } from "../../ConsoleError.ts"
import * as Access from "../api/Access.ts"
import type { News } from "../api/EventsApi.ts"
import * as Sessions from "../security/Sessions.ts"
import * as UnderWay from "../security/UnderWay.ts"

const LOOK = "1 second"

/**
 * Somebody who watches hears something after so many looks that found nothing new, so that nobody in between takes the connection for dead.
 * A look at an archive that cannot be read finds nothing.
 */
const QUIET = 15

/** So many streams a session may have at once. */
const MOST = 8

const FULL = `A session watches ${MOST} times at once at most.`

/** What somebody was told last, and how many looks found the same since. */
interface Told {
  readonly marks: Archive.Marks | undefined
  readonly quiet: number
}

const NOTHING: Told = { marks: undefined, quiet: 0 }

const tell = (told: Told, marks: Archive.Marks): readonly [Told, ReadonlyArray<News>] => {
  if (!Equal.equals(told.marks, marks)) return [{ marks, quiet: 0 }, [{ event: "marks", data: marks }]]
  return told.quiet + 1 < QUIET
    ? [{ marks, quiet: told.quiet + 1 }, []]
    : [{ marks, quiet: 0 }, [{ event: "alive", data: {} }]]
}

export const layer = HttpApiBuilder.group(
  ConsoleApi,
  "events",
  Effect.fnUntraced(function*(handlers) {
    const archive = yield* Archive.Archive
    const sessions = yield* Sessions.Sessions
    const watching = UnderWay.make()

    const marks = yield* Stream.fromEffectSchedule(Effect.option(archive.marks), Schedule.spaced(LOOK)).pipe(
      // What was found before the archive could not be read is no news for somebody who comes then.
      Stream.share({ capacity: 16, strategy: "sliding", replay: 1 })
    )

    const news = (id: string): Stream.Stream<News> =>
      marks.pipe(
        Stream.filter(Option.isSome),
        Stream.map(({ value }) => value),
        Stream.mapAccum(() => NOTHING, tell),
        Stream.interruptWhen(sessions.over(id))
      )

    return handlers.handleAll({
      events: () =>
        Access.CurrentSession.use(({ id }) =>
          // The scope is that of the request, which ends with its answer.
          Effect.as(watching.within(id, MOST, () => new Unavailable({ message: FULL })), news(id))
        )
    })
  })
)
