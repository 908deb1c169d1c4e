/** The way of notices to an address: what is not encrypted stays on this machine, and a failure names the proxy on the way. */
import * as NoticeError from "@tallystick/archive/NoticeError"
import type * as Receiver from "@tallystick/archive/Receiver"
import * as Effect from "effect/Effect"
import { PastProxies } from "../config/PastProxies.ts"
import * as Proxy from "../config/Proxy.ts"

/** Names the proxy where a receiver was not reached through it. */
const naming = (way: string) => (error: NoticeError.NoticeError): NoticeError.NoticeError => {
  const { reason } = error
  if (reason._tag !== "Undelivered" || reason.of === "notice") return error
  const { detail, of, place } = reason
  return new NoticeError.NoticeError({
    reason: new NoticeError.Undelivered({ place, of, detail: `${detail}; notices go there ${way}` })
  })
}

/** Plain http is for this machine alone: it goes past every proxy. */
export const of = Effect.fnUntraced(function*(receiver: Receiver.Receiver): Effect.fn.Return<Receiver.Receiver> {
  const { place, send } = receiver
  if (place.startsWith("http:")) {
    return { ...receiver, send: (notice) => Effect.provideService(send(notice), PastProxies, true) }
  }
  const way = yield* Proxy.behind(place)
  return way === undefined
    ? receiver
    : { ...receiver, send: (notice) => Effect.mapError(send(notice), naming(way)) }
})
