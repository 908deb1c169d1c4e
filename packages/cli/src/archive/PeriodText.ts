/** Periods in words and as JSON. */
import type * as Closing from "@tallystick/archive/Closing"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as Period from "@tallystick/archive/Period"
import * as Amount from "@tallystick/core/Amount"
import * as Grid from "@tallystick/report/text/Grid"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import type * as ZonedTimes from "../text/ZonedTimes.ts"

export interface Look {
  /** Cells of a line. */
  readonly width: number
  readonly times: ZonedTimes.ZonedTimes
}

/** A period, and what it carried where that is told. */
export interface Told {
  readonly period: Period.Period
  readonly carried?: ReadonlyArray<OpenItem.EntryState>
}

const columns: ReadonlyArray<Grid.Column> = [
  { title: "NO", align: "right" },
  { title: "FROM", align: "left" },
  { title: "TO", align: "left" },
  { title: "CLOSED", align: "left" },
  { title: "BY", align: "left" },
  { title: "CARRIED", align: "right" },
  { title: "SETTLED", align: "right" },
  { title: "OTHERWISE", align: "right" },
  { title: "STATE", align: "left" }
]

/** Names who closed, or made something else that the ledger keeps. */
export const author = ({ by, identity }: Pick<Closing.Close, "by" | "identity">): string =>
  identity === "claimed" ? `${by} (claimed)` : by

const entries = (count: number): string => Text.counted(count, "entry", "entries")

const verb = (count: number, one: string, several: string): string => `${entries(count)} ${count === 1 ? one : several}`

/** Says whether a period stands, and what became of it where it does not. */
export const standing = (period: Period.Period): string => {
  const { broken, isAltered, reopened } = period
  if (reopened !== undefined) return `reopened by ${reopened.number}: ${reopened.words}`
  if (!Period.isBroken(period)) return "stands"
  return `broken: ${
    [
      ...(broken.length > 0 ? [entries(broken.length)] : []),
      ...(isAltered ? ["the books were altered"] : [])
    ].join(", ")
  }`
}

export const table = (periods: ReadonlyArray<Period.Period>, { times, width }: Look): string => {
  const row = (period: Period.Period): ReadonlyArray<string> => {
    const { close, settled, waitsOtherwise } = period
    return [
      String(close.number),
      times.minute(close.from),
      times.minute(close.to),
      times.minute(close.at),
      author(close),
      Text.count(close.carried.count),
      Text.count(settled.length),
      Text.count(waitsOtherwise.length),
      standing(period)
    ].map(Text.plain)
  }
  const { header, rows } = Grid.fitted(columns, periods.map(row), width)
  return `${[...(header === undefined ? [] : [header]), ...rows].join("\n")}\n`
}

type Stood = Period.Judgement

const isOther = (before: Stood, after: Stood): boolean =>
  Amount.canonical(before.amount) !== Amount.canonical(after.amount) || before.asset !== after.asset ||
  before.at !== after.at ||
  before.account !== after.account

/** `open (missing-transfer)`, with the content of the entry where that is another one than before. */
const stands = (
  one: Stood | undefined,
  other: Stood | undefined,
  { bound, suffix }: ZonedTimes.ZonedTimes
): string => {
  if (one === undefined) return "nothing"
  const content = other !== undefined && isOther(one, other)
    ? `, ${one.amount} ${one.asset}${one.account === undefined ? "" : ` of ${one.account}`} at ${
      bound(one.at)
    }${suffix}`
    : ""
  return `${one.state} (${one.code}${content})`
}

const cause = (cause: Period.Cause): string => {
  switch (cause.of) {
    case "records":
      return "the records tell otherwise of it"
    case "decision":
      return `decision ${cause.number} is about it or an entry that it stood with`
    case "policy":
      return `execution ${cause.execution} follows another policy`
    case "accounts":
      return `execution ${cause.execution} knows other accounts or addresses`
    default:
      return "records around it, or the version of the program, may be others"
  }
}

const named = ({ amount, asset, id, side }: Stood): string => `${side} ${id} (${amount} ${asset})`

/** `deposit 9c41 (5 ETH) was matched (exact) and is open (missing-transfer) since: the records tell otherwise of it`. */
const broken = (
  { after, before, causes }: Period.Break,
  times: ZonedTimes.ZonedTimes,
  moment: "now" | "then" = "now"
): string => {
  const entry = before ?? after
  const then = before === undefined ? "was not there" : `was ${stands(before, after, times)}`
  const now = after === undefined ? "is lost" : `is ${stands(after, before, times)}`
  return `${entry === undefined ? "an entry" : named(entry)} ${then} and ${now} ${moment}: ${
    Text.listed(causes.map(cause))
  }`
}

const ALTERED =
  "the tables of the books do not come to what the close says of them any more: tallystick archive check --books says where"

/** So many entries of a period are named in a list of periods; all of them where one period is told. */
const NAMED = 20

const paragraphs = (first: string, texts: ReadonlyArray<string>, width: number): ReadonlyArray<string> =>
  texts.flatMap((text) => Text.paragraph(first, Text.plain(text), width))

/** A line for each thing that does not stand as it did, under a line that names the period; none for periods that stand. */
export const breaks = (
  periods: ReadonlyArray<Period.Period>,
  { times, width }: Look,
  most: number = NAMED
): string =>
  periods.filter(Period.isBroken).map(({ broken: all, close, isAltered }) => {
    const more = all.length - most
    const lines = [
      ...(isAltered ? [ALTERED] : []),
      ...all.slice(0, most).map((one) => broken(one, times)),
      ...(more > 0 ? [`${entries(more)} more: tallystick periods ${close.number}`] : [])
    ]
    return `\n${[`close ${close.number} is broken:`, ...paragraphs("  ", lines, width)].join("\n")}\n`
  }).join("")

const total = ({ asset, count, side, state, sum }: Closing.Total): string =>
  `${side}s of ${asset}: ${Text.count(count)} ${state}, ${sum}`

/** What did not stand as the close says when it was taken back. */
const otherwise = (
  { breaks, broken: all, isAltered, settled, waitsOtherwise }: Closing.Otherwise,
  times: ZonedTimes.ZonedTimes
): ReadonlyArray<string> => [
  `when it was reopened ${all === 0 ? "no entry" : entries(all)} broke it, ${settled} of what was carried ${
    settled === 1 ? "was" : "were"
  } settled, and ${waitsOtherwise} waited otherwise${isAltered ? "; the books were altered" : ""}`,
  ...breaks.map((one) => `  ${broken(one, times, "then")}`),
  ...(all > breaks.length ? [`  ${entries(all - breaks.length)} more, which the ledger does not name`] : [])
]

/** Why the ledger does not tell what had become of a period when it was taken back. */
export const uncompared = (why: string): string =>
  Text.plain(`what had become of the period by then could not be compared, because the archive was damaged: ${why}`)

/** All of a period: what was closed, by whom, what it came to, what it carries, and what became of it. */
export const detail = ({ carried, period }: Told, look: Look): string => {
  const { close, id, reopened, settled, waitsOtherwise } = period
  const { times, width } = look
  const moment = (ms: number): string => `${times.bound(ms)}${times.suffix}`
  const said = [
    `closed by ${author(close)} at ${moment(close.at)}, head of the ledger ${close.number}@${id}`,
    ...(reopened === undefined ? [] : [
      `reopened by ${author(reopened)} at ${moment(reopened.at)} (${reopened.reason}): ${reopened.words}`,
      ...(reopened.otherwise === undefined ? [] : otherwise(reopened.otherwise, times)),
      ...(reopened.uncompared === undefined ? [] : [uncompared(reopened.uncompared)])
    ]),
    `${verb(close.states.count, "has", "have")} waited in it${close.totals.length > 0 ? ":" : ""}`,
    ...close.totals.map((one) => `  ${total(one)}`),
    `digest of where they stood: ${close.states.digest}`,
    `${verb(close.carried.count, "is", "are")} carried forward${
      carried === undefined && close.carried.count > 0 ? `: tallystick periods ${close.number}` : ""
    }`,
    ...(carried ?? []).map((entry) => `  ${named(entry)} at ${moment(entry.at)}: ${entry.state} (${entry.code})`),
    ...(close.provisional > 0
      ? [`${verb(close.provisional, "was", "were")} settled by outcomes that were not final`]
      : []),
    ...(close.badRecords === undefined || close.badRecords.count === 0 ? [] : [
      `${Text.counted(close.badRecords.count, "record")} that could not be read ${
        close.badRecords.count === 1 ? "is" : "are"
      } carried forward as such:`,
      ...close.badRecords.items.map((id) => `  ${id}`),
      ...(close.badRecords.count > close.badRecords.items.length
        ? [
          `  ${Text.count(close.badRecords.count - close.badRecords.items.length)} more, which the ledger does not name`
        ]
        : [])
    ]),
    ...(close.unreadable ?? []).map(({ records, run }) =>
      `run ${run}, which judged time of it, met ${Text.counted(records, "record")} that could not be read, and ${
        records === 1 ? "is" : "are"
      } carried forward as such: tallystick show ${run} names what came`
    ),
    ...(close.proposed === undefined || close.proposed === 0 ? [] : [
      `${Text.counted(close.proposed, "decision")} on entries before its end ${
        close.proposed === 1 ? "waits" : "wait"
      } for another person, and nothing followed ${close.proposed === 1 ? "it" : "them"}`
    ]),
    ...close.vouched.map((part) =>
      `nobody read ${part.operation} ${times.stretch(part)} from the exchange: a person vouched for them`
    ),
    ...settled.map(({ after, before }) =>
      `settled since: ${named(before)} was ${stands(before, after, times)} and is ${stands(after, before, times)} now`
    ),
    ...waitsOtherwise.map(({ after, before }) =>
      `waits otherwise: ${named(before)} was ${stands(before, after, times)} and is ${stands(after, before, times)} now`
    )
  ]
  const lines = said.flatMap((text) => {
    const indent = text.startsWith("  ") ? "    " : "  "
    return Text.paragraph(indent, Text.plain(text.trimStart()), width)
  })
  const head = `close ${close.number}  ${times.stretch(close)} (days of ${close.zone} up to ${close.through})`
  return `${[Text.plain(head), ...lines].join("\n")}\n${breaks([period], look, Number.POSITIVE_INFINITY)}`
}

/** What a report says of a period that it meets. */
export const warning = (period: Period.Period, { stretch }: ZonedTimes.ZonedTimes): string =>
  Text.plain(
    `The period ${stretch(period.close)} that ${author(period.close)} closed does not stand as it did (${
      standing(period)
    }): tallystick periods ${period.close.number} says what changed.`
  )

const periodJson = ({ carried, period: { close, ...period } }: Told) => ({
  ...period,
  ...close,
  ...(carried === undefined ? {} : { carriedEntries: carried })
})

/** What the ledger keeps of each close, and what became of it. */
export const json = (told: ReadonlyArray<Told>): string => `${SafeJson.stringify(told.map(periodJson), 2)}\n`

/** What the ledger keeps of a close or a reopening. */
export const closingJson = ({ body, id }: Closing.Closing): string => `${SafeJson.stringify({ id, ...body }, 2)}\n`
