/** The work of `tallystick keys list`. */
import * as Broker from "@tallystick/core/Broker"
import type * as ListedApiKey from "@tallystick/core/ListedApiKey"
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
import * as Output from "../output/Output.ts"
import * as Interruption from "../terminal/Interruption.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags extends Pick<RangeFlags.Flags, "zone"> {
  readonly subAccount: string
  readonly format: Option.Option<SheetFormat>
  readonly out: Option.Option<string>
}

const columns: ReadonlyArray<Grid.Column> = [
  { title: "NOTE", align: "left" },
  { title: "CREATED", align: "left" },
  { title: "KEY", align: "left" },
  { title: "PERMISSIONS", align: "left" },
  { title: "ADDRESSES", align: "left" }
]

const table = (keys: ReadonlyArray<ListedApiKey.ListedApiKey>, zone: DateTime.TimeZone | undefined): string => {
  const { bound } = Times.make(zone)
  const { header, rows } = Grid.lines(
    columns,
    keys.map(({ apiKey, createTime, ip, note, permissions }) => [
      Text.plain(note),
      createTime === undefined ? "" : bound(createTime),
      Text.plain(apiKey),
      Text.plain(permissions.join(",")),
      Text.plain(ip.join(","))
    ])
  )
  return `${[header, ...rows].join("\n")}\n`
}

/** As CSV writes it: what is a list elsewhere is one cell, and a time that nobody told an empty one. */
const cells = ({ createTime, ip, permissions, ...key }: ListedApiKey.ListedApiKey) => ({
  ...key,
  createTime: createTime ?? "",
  permissions: permissions.join(","),
  ip: ip.join(",")
})

const names = ["subAccount", "note", "apiKey", "permissions", "ip", "createTime"] as const

const texts = (
  keys: ReadonlyArray<ListedApiKey.ListedApiKey>,
  format: SheetFormat,
  zone: DateTime.TimeZone | undefined
): Stream.Stream<string> => {
  if (format === "json") {
    return RecordText.texts<ListedApiKey.ListedApiKey>({ columns: names }, format)(Stream.fromIterable(keys))
  }
  if (format === "csv") {
    return RecordText.texts<ReturnType<typeof cells>>({ columns: names }, format)(Stream.fromIterable(keys.map(cells)))
  }
  return keys.length === 0 ? Stream.empty : Stream.make(table(keys, zone))
}

export const run = Effect.fnUntraced(
  function*({ format, out, subAccount, zone }: Flags) {
    const form = yield* Ending.sheetFormat({ format, out })
    yield* Output.ready(out)
    const inZone = yield* AskedRange.zone(zone)
    const keys = yield* Broker.Broker.use(({ apiKeys }) => apiKeys({ subAccount })).pipe(
      Effect.mapError(Failure.fromBroker)
    )
    yield* Output.write(out, texts(keys, form, inZone))
    return yield* Stderr.say(`the exchange lists ${Text.counted(keys.length, "key")} of ${subAccount}`)
  },
  ConfiguredBroker.withSilentBroker,
  (effect, { out }) => Interruption.told(out)(effect)
)
