/** The work of `tallystick accounts`. */
import type * as SubAccount from "@tallystick/core/SubAccount"
import * as Grid from "@tallystick/report/text/Grid"
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as RecordText from "../archive/RecordText.ts"
import * as Failure from "../Failure.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as Ending from "../flags/Ending.ts"
import type { SheetFormat } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import * as ServiceAccounts from "../network/ServiceAccounts.ts"
import * as Output from "../output/Output.ts"
import * as Interruption from "../terminal/Interruption.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags extends Pick<RangeFlags.Flags, "zone"> {
  readonly format: Option.Option<SheetFormat>
  readonly out: Option.Option<string>
}

const columns: ReadonlyArray<Grid.Column> = [
  { title: "SUB-ACCOUNT", align: "left" },
  { title: "CREATED", align: "left" },
  { title: "NOTE", align: "left" }
]

const table = (accounts: ReadonlyArray<SubAccount.SubAccount>, zone: DateTime.TimeZone | undefined): string => {
  const { bound } = Times.make(zone)
  const { header, rows } = Grid.lines(
    columns,
    accounts.map(({ note, subAccount, timestamp }) => [
      Text.plain(subAccount),
      timestamp === undefined ? "" : bound(timestamp),
      Text.plain(note)
    ])
  )
  return `${[header, ...rows].join("\n")}\n`
}

const names = ["subAccount", "note", "timestamp"] as const

/** As CSV writes it: a time that nobody told is an empty cell. */
const cells = ({ note, subAccount, timestamp }: SubAccount.SubAccount) => ({
  subAccount,
  note,
  timestamp: timestamp ?? ""
})

const texts = (
  accounts: ReadonlyArray<SubAccount.SubAccount>,
  format: SheetFormat,
  zone: DateTime.TimeZone | undefined
): Stream.Stream<string> => {
  if (format === "json") {
    return RecordText.texts<SubAccount.SubAccount>({ columns: names }, format)(Stream.fromIterable(accounts))
  }
  if (format === "csv") {
    return RecordText.texts<ReturnType<typeof cells>>({ columns: names }, format)(
      Stream.fromIterable(accounts.map(cells))
    )
  }
  return accounts.length === 0 ? Stream.empty : Stream.make(table(accounts, zone))
}

export const run = Effect.fnUntraced(
  function*({ format, out, zone: inZone }: Flags) {
    const form = yield* Ending.sheetFormat({ format, out })
    yield* Output.ready(out)
    const zone = yield* AskedRange.zone(inZone)
    const { doubt, subAccounts } = yield* Effect.mapError(ServiceAccounts.list, ServiceAccounts.failure)
    yield* Output.write(out, texts(subAccounts, form, zone))
    const told = Text.counted(subAccounts.length, "sub-account")
    return yield* doubt === undefined
      ? Stderr.say(`${told}, proven to be all that the exchange lists`)
      : Failure.unfinished(`${told}; ${ServiceAccounts.doubtful(doubt)}`)
  },
  ConfiguredBroker.withSilentBroker,
  (effect, { out }) => Interruption.told(out)(effect)
)
