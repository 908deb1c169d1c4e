/** Tells of periods, closes and reopens them, in the name of the session. */
import * as Periods from "@tallystick/archive/Periods"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import { ConsoleApi } from "../../ConsoleApi.ts"
import * as Access from "../api/Access.ts"
import * as Failing from "./Failing.ts"

const author = Access.CurrentSession.use(({ person: { identity, name } }) => Effect.succeed({ by: name, identity }))

export const layer = HttpApiBuilder.group(
  ConsoleApi,
  "periods",
  Effect.fnUntraced(function*(handlers) {
    const periods = yield* Periods.Periods
    const closes = Effect.mapError(periods.closes, Failing.database)

    const closed = Effect.fnUntraced(function*(number: number) {
      const found = (yield* closes).find(({ close }) => close.number === number)
      return yield* Failing.found(Option.fromUndefinedOr(found), `close ${number}`)
    })

    return handlers.handleAll({
      closes: () => Effect.map(closes, (closes) => ({ closes })),
      period: Effect.fnUntraced(function*({ params: { number } }) {
        const { close } = yield* closed(number)
        const found = yield* Effect.mapError(periods.list(close), Failing.archive)
        const period = found.find((one) => one.close.number === number)
        return yield* Failing.found(Option.fromUndefinedOr(period), `close ${number}`)
      }),
      carried: Effect.fnUntraced(function*({ params: { number } }) {
        const { close } = yield* closed(number)
        return { entries: yield* Effect.mapError(periods.carried(close), Failing.database) }
      }),
      close: Effect.fnUntraced(function*({ payload }) {
        return yield* Effect.mapError(periods.close({ ...payload, author: yield* author }), Failing.period)
      }),
      reopen: Effect.fnUntraced(function*({ params: { number }, payload }) {
        const options = { ...payload, close: number, author: yield* author }
        return yield* Effect.mapError(periods.reopen(options), Failing.period)
      })
    })
  })
)
