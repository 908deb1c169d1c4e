/** What differs between two runs, as a table, as JSON, and as rows of a spreadsheet. */
import type * as RunDiff from "@tallystick/archive/RunDiff"
import * as Grid from "@tallystick/report/text/Grid"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Stream from "effect/Stream"
import type * as ZonedTimes from "../text/ZonedTimes.ts"
import * as ItemText from "./ItemText.ts"
import * as RecordText from "./RecordText.ts"

const words: Readonly<Record<RunDiff.Kind, string>> = {
  new: "new",
  closed: "closed",
  code: "under another code",
  partners: "with other partners",
  restated: "restated",
  final: "final now",
  provisional: "not final any more",
  gone: "gone"
}

type Diffs = ReadonlyArray<RunDiff.RunDiff>

const differencesOf = (diffs: Diffs): ReadonlyArray<RunDiff.Difference> =>
  diffs.flatMap(({ differences }) => differences)

/** `3 entries differ: 2 new and 1 closed`; empty where none does. */
export const counted = (diffs: Diffs): string => {
  const differences = differencesOf(diffs)
  const byKind = Map.groupBy(differences, ({ kind }) => kind)
  const parts = Array.from(byKind, ([kind, { length }]) => `${Text.count(length)} ${words[kind]}`)
  return parts.length === 0
    ? ""
    : `${Text.counted(differences.length, "entry differs", "entries differ")}: ${Text.listed(parts)}`
}

/** Says how many entries came and were settled at once, which is no difference; empty where none did. */
export const arrived = (diffs: Diffs): string => {
  const count = diffs.reduce((sum, { arrived }) => sum + arrived, 0)
  return count === 0
    ? ""
    : `${Text.counted(count, "entry", "entries")} came besides and ${count === 1 ? "is" : "are"} settled`
}

const columns: ReadonlyArray<Grid.Column> = [
  { title: "WHAT", align: "left" },
  { title: "AT", align: "left" },
  { title: "ENTRY", align: "left" },
  { title: "BEFORE", align: "left" },
  { title: "AFTER", align: "left" }
]

const stood = (stand: RunDiff.Stand | undefined): string =>
  stand === undefined
    ? "not told"
    : `${stand.code}${stand.state === "open" ? "" : ` (${stand.state})`}${stand.final ? "" : ", may change"}`

/** Where the records tell another amount or time of an entry, each cell has its own. */
const restated = (
  difference: RunDiff.Difference,
  stand: RunDiff.Stand | undefined,
  { minute }: ZonedTimes.ZonedTimes
) =>
  difference.kind !== "restated" || stand === undefined
    ? stood(stand)
    : `${stand.amount} ${stand.asset}${stand.account === undefined ? "" : ` ${stand.account}`} ${minute(stand.at)}`

/** `width`: cells of a line. */
export const table = (
  diffs: Diffs,
  { times, width }: { readonly times: ZonedTimes.ZonedTimes; readonly width: number }
): string => {
  const row = (difference: RunDiff.Difference): ReadonlyArray<string> => {
    const { after, before, id, kind, side } = difference
    const told = after ?? before
    return [
      words[kind],
      told === undefined ? "" : times.minute(told.at),
      told === undefined ? id : ItemText.named({ ...told, side, id }),
      restated(difference, before, times),
      restated(difference, after, times)
    ].map(Text.plain)
  }
  const { header, rows } = Grid.fitted(columns, differencesOf(diffs).map(row), width)
  return `${[...(header === undefined ? [] : [header]), ...rows].join("\n")}\n`
}

const SHEET = {
  columns: [
    "kind",
    "side",
    "id",
    "asset",
    "amount",
    "at",
    "account",
    "stateBefore",
    "codeBefore",
    "finalBefore",
    "outcomeBefore",
    "state",
    "code",
    "final",
    "outcome"
  ]
} as const

type Row = Readonly<Record<typeof SHEET.columns[number], string | number | boolean>>

const sheet = ({ after, before, id, kind, side }: RunDiff.Difference): Row => {
  const told = after ?? before
  return {
    kind,
    side,
    id,
    asset: told?.asset ?? "",
    amount: told?.amount ?? "",
    at: told?.at ?? "",
    account: told?.account ?? "",
    stateBefore: before?.state ?? "",
    codeBefore: before?.code ?? "",
    finalBefore: before?.final ?? "",
    outcomeBefore: before?.outcome ?? "",
    state: after?.state ?? "",
    code: after?.code ?? "",
    final: after?.final ?? "",
    outcome: after?.outcome ?? ""
  }
}

/** The differences for programs, or for a spreadsheet; `json` says besides what was compared. */
export const texts = (diffs: Diffs, format: RecordText.Format): Stream.Stream<string> =>
  format === "csv"
    ? RecordText.texts<Row>(SHEET, format)(Stream.fromIterable(differencesOf(diffs).map(sheet)))
    : format === "json"
    ? Stream.make(`${SafeJson.stringify(diffs, 2)}\n`)
    : Stream.fromIterable(differencesOf(diffs).map((one) => `${SafeJson.stringify(one)}\n`))
