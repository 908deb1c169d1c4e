/** Hears at once what changes, and notices when the console is gone and when it is back. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { useEffect, useState } from "preact/hooks"
import type { Client } from "../asking/Client.ts"
import * as Failure from "../asking/Failure.ts"
import type { Connection, Marks } from "./Desk.ts"

interface Heard {
  readonly marks: Marks | undefined
  readonly connection: Connection
}

/** The console says something every 15 seconds; a stream that is silent for longer is dead. */
const SILENCE = "40 seconds"

const AGAIN = Schedule.spaced("1 second")

export const useNews = (client: Client, failed: (failure: Failure.Failure) => void): Heard => {
  const [heard, hear] = useState<Heard>({ marks: undefined, connection: { isHere: true, times: 0 } })
  useEffect(() => {
    const here = (news: Partial<Heard>) =>
      hear(({ connection, marks }) => ({
        marks,
        connection: connection.isHere ? connection : { isHere: true, times: connection.times + 1 },
        ...news
      }))
    const watched = Effect.flatMap(
      client.events.events(),
      (news) =>
        news.pipe(
          Stream.timeout(SILENCE),
          Stream.runForEach((one) => Effect.sync(() => here(one.event === "marks" ? { marks: one.data } : {})))
        )
    )
    const gone = Effect.sync(() =>
      hear((before) => ({ ...before, connection: { ...before.connection, isHere: false } }))
    )
    // The stream ends with the session, and with the console: the next question tells which.
    const watching = Effect.match(watched, { onFailure: Failure.of, onSuccess: () => undefined }).pipe(
      Effect.tap((failure) => failure?._tag === "Over" ? Effect.sync(() => failed(failure)) : gone),
      Effect.repeat({ schedule: AGAIN, while: (failure) => failure?._tag !== "Over" })
    )
    return Effect.runCallback(watching)
  }, [client])
  return heard
}
