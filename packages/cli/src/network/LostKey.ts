/** Asks for a key whose answer was lost: whether the exchange lists a key with its note. */
import * as Broker from "@tallystick/core/Broker"
import type * as ListedApiKey from "@tallystick/core/ListedApiKey"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ConfiguredBroker from "./ConfiguredBroker.ts"

/** The request whose answer was lost. */
export interface Lost {
  readonly subAccount: string
  readonly note: string
  /** When it began, Unix ms of this machine's clock. */
  readonly begunAt: number
}

/** The longest wait for the list: a person waits for the message. */
const PATIENCE = "20 seconds"

/** How far the clocks may be apart after they were compared, ms. */
const APART = 60_000

const { bound } = Times.make()

/** Whether the key may have been made by the request that began then, Unix ms of the exchange's clock. */
const mayBe = (begunAt: number) => ({ createTime }: ListedApiKey.ListedApiKey): boolean =>
  createTime === undefined || createTime >= begunAt - APART

const madeAt = ({ createTime }: ListedApiKey.ListedApiKey): string =>
  createTime === undefined ? "at a time that it does not tell" : `at ${bound(createTime)} UTC`

const list = (subAccount: string): string => `tallystick keys list --sub-account ${subAccount}`

const again = (subAccount: string): string =>
  `the request may still be carried out, so look again before you try again: ${list(subAccount)}`

/**
 * What the list tells. That no key is in it proves nothing for good, and that one is in it does not say whose request made it:
 * the clocks may be apart, and nothing keeps two keys from having one note.
 */
const sentence = (keys: ReadonlyArray<ListedApiKey.ListedApiKey>, { begunAt, note, subAccount }: Lost): string => {
  const named = keys.filter((key) => key.note === note && key.subAccount === subAccount)
  const found = named.filter(mayBe(begunAt))
  const [older] = named
  const noted = `with the note ${SafeJson.stringify(note)}`
  if (found.length > 0) {
    const [which, what] = found.length === 1 ? ["a key", "It"] : [`${found.length} keys`, "Each of them"]
    return `The exchange lists ${which} ${noted}, made ${
      Text.listed(found.map(madeAt))
    }. ${what} may be an earlier one: see ` +
      `${
        list(subAccount)
      }. If you made none with this note before, the secret is lost, so delete it before you try again.`
  }
  return older === undefined
    ? `The exchange lists no key ${noted} yet; ${again(subAccount)}`
    : `The exchange lists only an older key ${noted}, made ${madeAt(older)}, which is not of this request; ${
      again(subAccount)
    }`
}

/** Asks for the list, and says what it tells, or why it could not be read. */
export const told = (lost: Lost) =>
  Effect.gen(function*() {
    const broker = yield* Broker.Broker
    const keys = yield* broker.apiKeys({ subAccount: lost.subAccount })
    // What lies between the beginning and now is the same by both clocks.
    const ago = (yield* Clock.currentTimeMillis) - lost.begunAt
    return sentence(keys, { ...lost, begunAt: (yield* broker.serverTime) - ago })
  }).pipe(
    Effect.timeoutOption(PATIENCE),
    ConfiguredBroker.withSilentBroker,
    Effect.map(Option.getOrElse(() => `Whether the exchange lists the key could not be found out within ${PATIENCE}.`)),
    Effect.catch((error: { readonly message: string }) =>
      Effect.succeed(`Whether the exchange lists the key could not be found out: ${error.message}.`)
    )
  )
