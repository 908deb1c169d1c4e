/**
 * Which column of a file of anybody holds which field of an entry: `at="Time(UTC)",amount=Quantity,id=TxID,asset=Coin`, for both files,
 * or with the side before the field (`transfers.at=…`) for one of them. The configuration file says the same as JSON.
 */
import type * as Entry from "@tallystick/reconcile/Entry"
import * as EntryReader from "@tallystick/reconcile/EntryReader"
import * as Text from "@tallystick/report/text/Text"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as LocalTime from "../text/LocalTime.ts"
import * as Moment from "../text/Moment.ts"
import * as Suggestion from "../text/Suggestion.ts"

/** The names that a file has for fields; each other field has its own name. */
export type Names = { readonly [Field in EntryReader.Field]?: string }

/** How the file of one side is read. */
export interface FieldMap {
  readonly names: Names
  /** Whether a field was named for this file alone, and not for both. */
  readonly isOwn: boolean
  /** The zone of times that name none: that of their column's name, else the one that was said. Undefined: such times are refused. */
  readonly zone: DateTime.TimeZone | undefined
  /** Columns that are not read, although their names are nearly those of fields. */
  readonly ignored: ReadonlyArray<string>
}

export type FieldMaps = Readonly<Record<Entry.Side, FieldMap | undefined>>

export const none: FieldMaps = { deposit: undefined, transfer: undefined }

const sides = { deposits: "deposit", transfers: "transfer" } as const

const name = Schema.NonEmptyString

const OfSide = Schema.Struct({
  ...Object.fromEntries(EntryReader.fields.map((field) => [field, Schema.optionalKey(name)])),
  zone: Schema.optionalKey(name),
  ignore: Schema.optionalKey(Schema.Array(name))
})

/** The form of the configuration file. */
export const schema = Schema.Struct({ deposits: Schema.optionalKey(OfSide), transfers: Schema.optionalKey(OfSide) })

/** Said of one field, of the zone, or of a column to be ignored. */
interface Pair {
  readonly side: keyof typeof sides | undefined
  readonly key: string
  readonly value: string
}

/** Whether it says which column holds a field. */
const isColumn = ({ key }: Pair): boolean => key !== "zone" && key !== "ignore"

const own: ReadonlyArray<string> = [...EntryReader.fields, "zone", "ignore"]

/** `field=column`, the column in quotation marks where it holds a comma; a quotation mark in it is doubled. */
const pair = /\s*(?:(deposits|transfers)\.)?([\w-]+)\s*=\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/y

const EXAMPLE = "at=\"Time(UTC)\",amount=Quantity,id=TxID,asset=Coin"

const isSide = (text: string | undefined): text is keyof typeof sides => text === "deposits" || text === "transfers"

const ofList = (text: string): Result.Result<ReadonlyArray<Pair>, string> => {
  const found: Array<Pair> = []
  pair.lastIndex = 0
  while (pair.lastIndex < text.length) {
    const [, side, key = "", quoted, plain = ""] = pair.exec(text) ?? []
    if (key === "") return Result.fail(`wanted: ${EXAMPLE}`)
    const value = quoted?.replaceAll("\"\"", "\"") ?? plain.trim()
    found.push({ side: isSide(side) ? side : undefined, key, value })
  }
  return found.length === 0 ? Result.fail(`wanted: ${EXAMPLE}`) : Result.succeed(found)
}

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(schema), { onExcessProperty: "error" })

const ofJson = (text: string): Result.Result<ReadonlyArray<Pair>, string> =>
  Result.mapBoth(decode(text), {
    onFailure: () => `wanted: a JSON object with deposits, transfers or both, each such as {"at": "Time(UTC)"}`,
    onSuccess: (maps) =>
      (["deposits", "transfers"] as const).flatMap((side) =>
        Object.entries(maps[side] ?? {}).flatMap(([key, value]): ReadonlyArray<Pair> =>
          (typeof value === "string" ? [value] : value ?? []).map((value) => ({ side, key, value }))
        )
      )
  })

/** Why the pairs of one side make no sense. */
const problem = (pairs: ReadonlyArray<Pair>): string | undefined => {
  const unknown = pairs.find(({ key }) => !own.includes(key))
  if (unknown !== undefined) {
    const near = Suggestion.of(unknown.key, own)
    return `"${unknown.key}" is no field${near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`} Fields: ${
      EntryReader.fields.join(", ")
    }; and zone, ignore`
  }
  const empty = pairs.find(({ value }) => value === "")
  if (empty !== undefined) return `${empty.key} has no column; leave it out where the file has none`
  const single = pairs.filter(({ key }) => key !== "ignore")
  const again = single.find(({ key }, index) => single.findIndex((one) => one.key === key) < index)
  if (again !== undefined) return `${again.key} is said twice`
  const columns = pairs.filter(isColumn)
  const shared = columns.find(({ value }, index) => columns.findIndex((one) => one.value === value) < index)
  if (shared !== undefined) return `the column ${shared.value} cannot be two fields`
  const ignored = new Set(pairs.filter(({ key }) => key === "ignore").map(({ value }) => value))
  const both = columns.find(({ value }) => ignored.has(value))
  return both === undefined ? undefined : `${both.value} cannot be ${both.key} and ignored`
}

/** Ms; undefined where it changes with the seasons, or may. */
const offsetOf = (zone: DateTime.TimeZone): number | undefined =>
  zone._tag === "Offset" ? zone.offset : zone.id === "UTC" ? 0 : undefined

/** The zone of times that name none. The name of their column goes before what is said of both files; nothing may contradict it. */
const zoneOf = (
  column: string | undefined,
  said: Pair | undefined
): Result.Result<DateTime.TimeZone | undefined, string> =>
  Result.gen(function*() {
    const zone = said === undefined ? undefined : yield* Moment.zone(said.value)
    const named = column === undefined ? undefined : LocalTime.zoneOf(column)
    if (named === undefined) return zone
    if (said?.side === undefined || zone === undefined || offsetOf(zone) === offsetOf(named)) return named
    return yield* Result.fail(
      `${said.side}.zone is ${said.value}, but the name of the column ${column} tells the zone of its times; leave ${said.side}.zone out`
    )
  })

/** What one side is told: by pairs of its own, else by those of both. */
const ofSide = (pairs: ReadonlyArray<Pair>, side: keyof typeof sides): Result.Result<FieldMap | undefined, string> => {
  const special = pairs.filter((pair) => pair.side === side)
  const general = pairs.filter((pair) => pair.side === undefined && !special.some(({ key }) => key === pair.key))
  const mine = [...special, ...general]
  if (mine.length === 0) return Result.succeed(undefined)
  const wrong = problem(mine)
  if (wrong !== undefined) return Result.fail(wrong)
  const columns = mine.filter(isColumn)
  const names: Names = Object.fromEntries(columns.map(({ key, value }) => [key, value]))
  return Result.map(zoneOf(names.at, mine.find(({ key }) => key === "zone")), (zone) => ({
    names,
    isOwn: special.some(isColumn),
    zone,
    ignored: mine.filter(({ key }) => key === "ignore").map(({ value }) => value)
  }))
}

/** Reads the text of `--map`, or JSON as the configuration file holds it. */
export const parse = (text: string): Result.Result<FieldMaps, string> =>
  Result.gen(function*() {
    const pairs = yield* text.trimStart().startsWith("{") ? ofJson(text) : ofList(text)
    return { deposit: yield* ofSide(pairs, "deposits"), transfer: yield* ofSide(pairs, "transfers") }
  })

/** `at is Time(UTC), amount is Quantity`, for messages. */
export const told = ({ names }: FieldMap): string =>
  Text.listed(Object.entries(names).map(([field, column]) => `${field} is ${column}`))
