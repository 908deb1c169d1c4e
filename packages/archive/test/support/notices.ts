/** Receivers that keep what they are told, and what notices say in words. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as ArchiveReconciliation from "../../src/ArchiveReconciliation.ts"
import * as Notice from "../../src/Notice.ts"
import * as NoticeError from "../../src/NoticeError.ts"
import * as Notices from "../../src/Notices.ts"
import type * as Receiver from "../../src/Receiver.ts"
import { book, options } from "./books.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Notice.Notice), { onExcessProperty: "error" })

/** A receiver in this process; it takes notices unless it is down or refuses them. */
export const receiver = (id: string, { hasDetails = false } = {}) => {
  const taken: Array<Notice.Notice> = []
  const state = { isDown: false, tries: 0, refuses: (_notice: Notice.Notice): boolean => false }
  const undelivered = (of: NoticeError.Undelivered["of"], detail: string) =>
    Effect.fail(
      new NoticeError.NoticeError({ reason: new NoticeError.Undelivered({ place: id, of, detail }) })
    )
  const made: Receiver.Receiver = {
    id,
    place: id,
    hasDetails,
    send: (text) =>
      Effect.suspend(() => {
        state.tries++
        if (state.isDown) return undelivered("receiver", "it is down")
        const notice = decode(text)
        if (state.refuses(notice)) return undelivered("notice", "it refuses this one")
        taken.push(notice)
        return Effect.void
      })
  }
  return { ...made, state, taken }
}

/** Brings the books forward and tells these receivers. */
export const bookFor = (
  receivers: ReadonlyArray<Receiver.Receiver>,
  asked: ArchiveReconciliation.Options = options(),
  prices: ReadonlyMap<string, string> = new Map()
) => book(asked, { notify: { receivers, prices } })

export const deliver = (...receivers: ReadonlyArray<Receiver.Receiver>) =>
  Notices.Notices.use(({ deliver }) => deliver(receivers))

export const tell = (receivers: ReadonlyArray<Receiver.Receiver>, ...found: ReadonlyArray<Notices.Found>) =>
  Notices.Notices.use(({ tell }) => tell(receivers, found))

/** What a notice says, but for its text. */
export const words = (notice: Notice.Notice): string => {
  switch (notice.kind) {
    case "item-opened":
    case "item-reopened":
    case "item-settled":
    case "item-gone": {
      const { code, entries, more } = notice.item
      const named = entries.map(({ amount, asset, side, worth }) =>
        `${side} ${amount} ${asset}${worth === undefined ? "" : ` worth ${worth}`}`
      )
      return `${notice.kind} ${code} after ${notice.head.number}: ${named.join(" + ")}${
        more === 0 ? "" : ` and ${more}`
      }`
    }
    case "open-items":
    case "many-items":
      return `${notice.kind} ${notice.items} after ${notice.head.number}: ${
        notice.codes.map(({ code, items }) => `${items} ${code}`).join(", ")
      }`
    case "close-broken": {
      const { broken, causes, close, entries, isAltered, reopened, state } = notice
      const why = causes.map(({ entries, number, of }) => `${entries} ${of}${number === undefined ? "" : ` ${number}`}`)
      const named = entries.map(({ after, amount, asset, before, side }) =>
        `${side} ${amount} ${asset} ${before?.state ?? "nothing"} -> ${after?.state ?? "nothing"}`
      )
      return `${notice.kind} ${state} of ${close.number} after ${notice.head.number}: ${
        [broken, ...why, ...named, ...isAltered ? ["altered"] : [], ...reopened === undefined ? [] : [`by ${reopened}`]]
          .join(", ")
      }`
    }
    default:
      return `${notice.kind} ${notice.state}`
  }
}
