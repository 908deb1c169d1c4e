/** Open items as a table, as JSON, and as rows of a spreadsheet. */
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as Grid from "@tallystick/report/text/Grid"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"
import * as Stream from "effect/Stream"
import type * as ZonedTimes from "../text/ZonedTimes.ts"
import * as RecordText from "./RecordText.ts"
import * as WithoutEntriesText from "./WithoutEntriesText.ts"

export type Format = RecordText.Format | "table"

/** An item and the number of the last decision on one of its entries. */
export interface Listed {
  readonly item: OpenItem.OpenItem
  readonly decision?: number
}

/** A line of the list is an item of entries, or one that has none. */
export type Line = Listed | OpenItem.WithoutEntries

const columns: ReadonlyArray<Grid.Column> = [
  { title: "ITEM", align: "left" },
  { title: "AGE", align: "right" },
  { title: "SINCE", align: "left" },
  { title: "CODE", align: "left" },
  { title: "ENTRIES", align: "left" },
  { title: "DECISION", align: "right" }
]

/** So many entries of an item are named in a table; `tallystick item` tells all. */
const NAMED = 3

/** `deposit 1.5 USDT sub1 40f67cef…g25x8z77`. */
export const named = (
  { account, amount, asset, id, side }: Pick<OpenItem.EntryState, "account" | "amount" | "asset" | "id" | "side">
): string =>
  `${side} ${amount} ${asset}${account === undefined ? "" : ` ${account}`} ${
    id.length > 28 ? `${id.slice(0, 8)}…${id.slice(-8)}` : id
  }`

const entries = ({ entries }: OpenItem.OpenItem): string =>
  `${entries.slice(0, NAMED).map(named).join(" + ")}${
    entries.length > NAMED ? ` and ${Text.count(entries.length - NAMED)} more` : ""
  }`

interface Look {
  /** Cells of a line. */
  readonly width: number
  readonly times: ZonedTimes.ZonedTimes
  /** Ages count up to here, Unix ms. */
  readonly now: number
  /** When an execution was made, Unix ms. */
  readonly madeAt: (execution: number) => number | undefined
}

/** A table has so many items; the other formats have all of them. */
export const SHOWN = 1000

/** The table of items of which there are `count`, the first of them listed. */
export const table = (listed: ReadonlyArray<Line>, count: number, { madeAt, now, times, width }: Look): string => {
  const since = (execution: number): string => {
    const at = madeAt(execution)
    return at === undefined ? String(execution) : `${times.minute(at)}${times.suffix}`
  }
  const cells = (line: Line): ReadonlyArray<string> => {
    if ("_tag" in line) {
      const age = Times.duration(Math.max(now - WithoutEntriesText.ageFrom(line), 0))
      const code = WithoutEntriesText.codeOf(line)
      return [line.id, age, since(line.since), code, WithoutEntriesText.named(line, times), ""]
    }
    const { decision, item } = line
    return [
      item.id,
      Times.duration(Math.max(now - item.at, 0)),
      since(item.since),
      `${item.code}${item.state === "open" ? "" : ` (${item.state})`}`,
      entries(item),
      decision === undefined ? "" : String(decision)
    ]
  }
  const { header, rows } = Grid.fitted(columns, listed.map((line) => cells(line).map(Text.plain)), width)
  const rest = count - listed.length
  const left = rest === 0
    ? []
    : Text.paragraph(
      "",
      `${Text.counted(rest, "more item")} after these: --format csv, json or ndjson lists all`,
      width
    )
  return `${[...(header === undefined ? [] : [header]), ...rows, ...left].join("\n")}\n`
}

const entryJson = ({ account, amount, asset, at, execution, id, side, since }: OpenItem.EntryState) => ({
  side,
  id,
  asset,
  amount,
  at,
  ...(account === undefined ? {} : { account }),
  since,
  execution
})

const lineJson = (line: Line) => {
  if ("_tag" in line) return WithoutEntriesText.json(line)
  const { decision, item: { id, ...item } } = line
  return {
    id,
    kind: "entries",
    ...item,
    entries: item.entries.map(entryJson),
    ...(decision === undefined ? {} : { decision })
  }
}

const SHEET = {
  columns: [
    "item",
    "state",
    "code",
    "since",
    "side",
    "id",
    "asset",
    "amount",
    "at",
    "account",
    "execution",
    "decision",
    "until",
    "path"
  ]
} as const

type Row = Readonly<Record<typeof SHEET.columns[number], string | number>>

const EMPTY: Row = {
  item: "",
  state: "",
  code: "",
  since: "",
  side: "",
  id: "",
  asset: "",
  amount: "",
  at: "",
  account: "",
  execution: "",
  decision: "",
  until: "",
  path: ""
}

/** A row an entry, or one of an item that has none. */
const sheet = (line: Line): ReadonlyArray<Row> =>
  "_tag" in line
    ? [{ ...EMPTY, ...WithoutEntriesText.cells(line) }]
    : line.item.entries.map(({ account, amount, asset, at, execution, id, side, since }) => ({
      item: line.item.id,
      state: line.item.state,
      code: line.item.code,
      since,
      side,
      id,
      asset,
      amount,
      at,
      account: account ?? "",
      execution,
      decision: line.decision ?? "",
      until: "",
      path: ""
    }))

/** The rows of all items. */
const byEntry = <E, R>(listed: Stream.Stream<Line, E, R>): Stream.Stream<Row, E, R> =>
  Stream.mapAccumArray(listed, () => undefined, (state, chunk) => [state, chunk.flatMap(sheet)])

const INDENT = "  "

/** An array of JSON over several lines, as all of it would be written at once. */
const asArray = <E, R>(listed: Stream.Stream<Line, E, R>): Stream.Stream<string, E, R> =>
  Stream.suspend(() => {
    let isFirst = true
    const begun = (one: Line): string => {
      const text = SafeJson.stringify(lineJson(one), INDENT.length).replaceAll("\n", `\n${INDENT}`)
      const begin = isFirst ? "[" : ","
      isFirst = false
      return `${begin}\n${INDENT}${text}`
    }
    return Stream.mapArray(listed, (chunk) => [chunk.map(begun).join("")]).pipe(
      Stream.concat(Stream.suspend(() => Stream.succeed(isFirst ? "[]\n" : "\n]\n")))
    )
  })

/** The items for programs, or for a spreadsheet, in which each entry and each item without entries has a row. */
export const texts =
  (format: RecordText.Format) => <E, R>(listed: Stream.Stream<Line, E, R>): Stream.Stream<string, E, R> =>
    format === "csv"
      ? RecordText.texts<Row>(SHEET, format)(byEntry(listed))
      : format === "json"
      ? asArray(listed)
      : Stream.mapArray(listed, (chunk) => [chunk.map((one) => `${SafeJson.stringify(lineJson(one))}\n`).join("")])
