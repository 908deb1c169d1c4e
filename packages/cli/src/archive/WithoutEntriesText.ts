/** Items without entries in words, as JSON, and as rows of a spreadsheet: time that was not read, and records that could not be. */
import type * as OpenItem from "@tallystick/archive/OpenItem"
import type * as Coverage from "@tallystick/core/Coverage"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import { scopeOf } from "@tallystick/report/text/Scope"
import * as Text from "@tallystick/report/text/Text"
import type * as ZonedTimes from "../text/ZonedTimes.ts"
import * as CoverageText from "./CoverageText.ts"

type Item = OpenItem.WithoutEntries

/** Ids of such items look like this. */
export const ID = /^u[0-9a-f]+$/i

export const GAP = "unread"

/** The word by which `open` lists it: `bad-record`, as reports call it, or `unread`. */
export const codeOf = (item: Item): "bad-record" | typeof GAP => item._tag === "BadRecord" ? "bad-record" : GAP

/** Its age counts from here, Unix ms. */
export const ageFrom = (item: Item): number => item._tag === "BadRecord" ? item.metAt : item.from

const queriesOf = ({ parts }: OpenItem.GapItem): ReadonlyArray<Coverage.TransferQuery> => {
  const queries = parts.flatMap(({ query }) => query ?? [])
  return Array.from(new Map(queries.map((query) => [JSON.stringify(query), query])).values())
}

/** `transfers from sub00001 to master (SPOT to SPOT)`; of several lists their number, because `tallystick item` names each. */
const about = (gap: OpenItem.GapItem): string => {
  const queries = queriesOf(gap)
  return queries.length > 1
    ? `${gap.operation} of ${Text.count(queries.length)} lists`
    : CoverageText.about(gap.operation, queries)
}

/** `deposit that could not be read: amount`; `not all deposits from 2026-11-20 00:00:00 to 2026-11-21 00:00:00 UTC`. */
export const named = (item: Item, { stretch }: ZonedTimes.ZonedTimes): string =>
  item._tag === "BadRecord"
    ? `${item.record.side} that could not be read: ${item.record.path === "" ? item.record.reason : item.record.path}`
    : `not all ${about(item)} ${stretch(item)}`

/** `2 records that could not be read`, `1 stretch of time that was not read`. */
export const counted = (items: ReadonlyArray<Item>): ReadonlyArray<string> => {
  const gaps = items.filter(({ _tag }) => _tag === "Gap").length
  const records = items.length - gaps
  return [
    ...(records === 0 ? [] : [`${Text.counted(records, "record")} that could not be read`]),
    ...(gaps === 0
      ? []
      : [`${Text.counted(gaps, "stretch", "stretches")} of time that ${gaps === 1 ? "was" : "were"} not read`])
  ]
}

export const json = (item: Item) => {
  const { execution, id, since } = item
  const common = { id, kind: item._tag === "BadRecord" ? "bad-record" as const : "gap" as const, code: codeOf(item) }
  if (item._tag === "Gap") {
    const { from, operation, parts, to } = item
    return { ...common, operation, from, to, since, execution, parts }
  }
  const { at, metAt, outcome, record: { path, reason, side, source }, run } = item
  return {
    ...common,
    side,
    ...(at === undefined ? {} : { at }),
    path,
    reason,
    source,
    metAt,
    since,
    execution,
    run,
    outcome
  }
}

const sides = { deposits: "deposit", transfers: "transfer" } as const

/** The cells of a row that are not empty. */
export const cells = (item: Item) => ({
  item: item.id,
  code: codeOf(item),
  since: item.since,
  execution: item.execution,
  ...(item._tag === "Gap"
    ? { side: sides[item.operation], at: item.from, until: item.to }
    : { side: item.record.side, path: item.record.path, ...(item.at === undefined ? {} : { at: item.at }) })
})

/** What is told of one item. */
export interface Told {
  readonly item: Item
  /** The number of the first execution behind its last one by which it was gone; absent while it is there. */
  readonly goneBy?: number
  /** The ids of the gaps in which time of a gap that is gone is unread still. */
  readonly unreadIn?: ReadonlyArray<string>
}

export interface Look {
  readonly width: number
  readonly times: ZonedTimes.ZonedTimes
  /** When an execution was made, Unix ms. */
  readonly madeAt: (execution: number) => number | undefined
}

/** So many parts of a gap are told; JSON has all of them. */
const PARTS = 50

const INDENT = "  "

const facts = (item: Item, { bound, stretch, suffix }: ZonedTimes.ZonedTimes): ReadonlyArray<string> => {
  if (item._tag === "Gap") {
    const rest = item.parts.length - PARTS
    return [
      ...item.parts.slice(0, PARTS).map((part) =>
        `${scopeOf(part)} ${stretch(part)}${part.gap === undefined ? "" : `: ${part.gap.detail}`}`
      ),
      ...(rest > 0 ? [`${Text.counted(rest, "more part")}: --format json has all of them`] : [])
    ]
  }
  const { at, outcome, record: { path, raw, reason, source }, run } = item
  return [
    `${path === "" ? "" : `${path}: `}${reason} (${source})`,
    ...(at === undefined ? [] : [`its text tells the time ${bound(at)}${suffix}`]),
    `it came as: ${raw}`,
    `run ${run} met it last, as outcome ${outcome}: tallystick show ${outcome} names all runs that did`
  ]
}

const REMEDY = {
  BadRecord:
    "nobody can decide on it, because no entry is known: have it corrected at its source, read that time again, and reconcile it with --book; close --carry-open carries it until then, and for good where its text tells no time at which it could be read again",
  Gap: "nobody can decide on it: read that time (tallystick sync or import), and reconcile it with --book"
}

export const lines = ({ goneBy, item, unreadIn = [] }: Told, { madeAt, times, width }: Look): ReadonlyArray<string> => {
  const moment = (execution: number): string => {
    const at = madeAt(execution)
    return `execution ${execution}${at === undefined ? "" : ` at ${times.bound(at)}${times.suffix}`}`
  }
  const texts = [
    ...facts(item, times),
    `met first by ${moment(item.since)}, and last by ${moment(item.execution)}`,
    goneBy === undefined
      ? REMEDY[item._tag]
      : unreadIn.length > 0
      ? `${moment(goneBy)} found time of it unread that begins elsewhere: see ${Text.listed(unreadIn)}`
      : `gone: ${moment(goneBy)} did not meet it any more`
  ]
  return [
    `${item.id}  ${named(item, times)}`,
    ...texts.flatMap((text) => Text.paragraph(INDENT, Text.plain(text), width))
  ].map(Text.plain)
}

export const storyJson = ({ goneBy, item, unreadIn = [] }: Told): string =>
  `${
    SafeJson.stringify([{
      item: { ...json(item), ...(item._tag === "BadRecord" ? { raw: item.record.raw } : {}) },
      ...(goneBy === undefined ? {} : { goneBy }),
      ...(unreadIn.length === 0 ? {} : { unreadIn })
    }], 2)
  }\n`
