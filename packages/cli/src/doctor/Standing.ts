/** Checks that probe nothing, or follow from the settings: write permission, rate, retention. */
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as Conventions from "@tallystick/core/Conventions"
import * as Text from "@tallystick/report/text/Text"
import { duration } from "@tallystick/report/text/Times"
import * as Duration from "effect/Duration"
import * as Check from "./Check.ts"

const writePermission = ({ permissions }: Conventions.Conventions): Check.Check =>
  Check.skipped(
    "write permission",
    `not probed: whether the key has ${permissions.createApiKey} shows only when a key is made`,
    `For reports use a key that has ${permissions.universalTransfers} and ${permissions.subAccountDeposits} and nothing ` +
      "else, linked to this machine's address."
  )

/** Requests that were sent, and whether the service found that they were too many. */
export interface Sent {
  readonly requests: number
  readonly throttled: boolean
}

/** How many requests are allowed, and of which keys where there are several. */
export const allowed = ({ apiKeys, conventions, rate }: BrokerConfig.Settings): string => {
  const requests = `${Text.counted(rate.requests, "request")} in ${Duration.format(rate.window)}`
  if (apiKeys.length === 0) return requests
  return `${requests} ${conventions.ratePer === "key" ? "of each key" : "of all keys together"}`
}

const rate = (settings: BrokerConfig.Settings, { requests, throttled }: Sent): Check.Check => {
  const configured = allowed(settings)
  const sent = Text.counted(requests, "request")
  const none = requests === 1 ? `the ${sent} of these checks was not` : `of the ${sent} of these checks none was`
  return throttled
    ? Check.warning(
      "rate",
      `at most ${configured} are configured, and the service asked to wait after ${sent} of these checks`,
      "Something else uses this key or address, or the service allows less: lower TALLYSTICK_RATE. Commands that " +
        "run at the same time each take a part of the rate; programs can share one limit: docs/rate-limits.md."
    )
    : Check.ok(
      "rate",
      `at most ${configured} are configured; ${none} too many, which proves little: no limit is provoked to find it`
    )
}

/** Deposits as old as this are read in time even where two rounds in a row fail. */
const often = (depositHistory: number): string =>
  depositHistory >= 3 * 86_400_000 ? "day" : duration(depositHistory / 3)

const retention = ({ depositHistory, transferHistory }: Conventions.Conventions): Check.Check =>
  Check.ok(
    "retention",
    `the service knows deposits for ${Math.floor(depositHistory / 3_600_000)} hours and transfers for ` +
      `${duration(transferHistory)}; what is older is lost unless you keep it: tallystick sync, at least every ` +
      often(depositHistory)
  )

const unknown = (what: Check.What): Check.Check =>
  Check.skipped(what, "nothing is known of it, because the service gave no answer")

/** Of a service that gave no answer (`isReached`) nothing is said, but that it asked to wait. */
export const look = (settings: BrokerConfig.Settings, sent: Sent, isReached: boolean): ReadonlyArray<Check.Check> => [
  isReached ? writePermission(settings.conventions) : unknown("write permission"),
  isReached || sent.throttled ? rate(settings, sent) : unknown("rate"),
  isReached ? retention(settings.conventions) : unknown("retention")
]
