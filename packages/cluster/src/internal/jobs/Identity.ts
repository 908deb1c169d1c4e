/** What makes two submissions the same job: what is asked, what the archive holds of the time that is read, and the version of the code. */
import * as Archive from "@tallystick/archive/Archive"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import * as Question from "../../Question.ts"
import { Version } from "../Version.ts"
import type { Asked } from "./JobTable.ts"

const digest = (...texts: ReadonlyArray<string>): string =>
  createHash("sha256").update(texts.map((text) => `${text.length}:${text}`).join("")).digest("hex")

const encode = Schema.encodeSync(Schema.fromJsonString(Question.Question))

/** Whoever asks, it is the same question. */
const ANYBODY = { by: "anybody", identity: "claimed" } as const

const encodeAddress = Schema.encodeSync(Schema.fromJsonString(AddressBook.Address))
const byText = Order.mapInput(Order.String, (address: AddressBook.Address) => encodeAddress(address))
const byName = Order.mapInput(Order.String, ([name]: readonly [string, string]) => name)

/** The order of names says nothing. Of the master account the first name is the one that is told, so that its names keep their order. */
const inOrder = ({ accounts, addresses, prices, ...question }: Question.Question): Question.Question => ({
  ...question,
  accounts: { ...accounts, list: accounts.list.toSorted() },
  ...(addresses === undefined ? {} : { addresses: Arr.sort(addresses, byText) }),
  ...(prices === undefined ? {} : {
    prices: { ...prices, of: Object.fromEntries(Arr.sort(Object.entries(prices.of), byName)) }
  })
})

/**
 * Tells questions apart, and the archives about which they are asked: a runner of another archive than that of the submitter has no answer.
 */
export const asked = Effect.fnUntraced(function*(question: Question.Question) {
  const { made } = yield* Archive.Archive
  return digest(yield* made, encode({ ...inOrder(question), author: ANYBODY }))
})

export const of = Effect.fnUntraced(function*(question: Question.Question) {
  const version = yield* Version
  const { lastReading, ledgerEnd, marks, state } = yield* Archive.Archive
  // Records of any time may come to be judged, because earlier time is judged again where something changed. What is open is aged up to the
  // last reading, and each sync and import may have found something.
  const [read, { sync }] = [yield* lastReading, yield* marks]
  const stand = digest(version, yield* state, String(read), sync)
  const { id, number } = yield* ledgerEnd
  const about = yield* asked(question)
  return {
    id: digest(about, stand, `${number}@${id}`),
    asked: about,
    stand,
    version,
    question
  } satisfies Asked
})
