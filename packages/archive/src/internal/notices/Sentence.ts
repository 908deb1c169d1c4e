/**
 * A notice in words. A stranger's text in them is ASCII letters, digits and hyphens alone: a receiver could take an underscore, a star or
 * an angle bracket for markup, and words with a dot between them for a link.
 */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type * as Notice from "../../Notice.ts"
import type * as OpenItem from "../../OpenItem.ts"

/** So many entries are named. */
const NAMED = 3

const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9-]/gu, "?").slice(0, 40)

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const time = (at: number): string =>
  Option.match(DateTime.make(at), { onNone: () => `${at} ms`, onSome: DateTime.formatIso })

const entry = ({ amount, asset, side }: OpenItem.EntryState): string => `${side} ${amount} ${plain(asset)}`

/** An item as it is told. */
export interface Named extends Pick<OpenItem.OpenItem, "at" | "code" | "id" | "outcome"> {
  readonly entries: ReadonlyArray<OpenItem.EntryState>
}

const happened: Readonly<Record<Notice.OfItem["kind"], string>> = {
  "item-opened": "An item is open",
  "item-reopened": "An item is open again",
  "item-settled": "An item is settled",
  "item-gone": "Records of an item are gone, and nothing settled it"
}

export const ofItem = (kind: Notice.OfItem["kind"], { code, entries, id }: Named): string => {
  const named = entries.slice(0, NAMED).map(entry).join(" + ")
  const more = entries.length > NAMED ? ` and ${entries.length - NAMED} more` : ""
  return `${happened[kind]}: ${code}, ${named}${more}. ` +
    `tallystick item ${id} tells more.`
}

export const ofMany = (kind: Notice.Summary["kind"], codes: Notice.Summary["codes"], execution: number): string => {
  const items = codes.reduce((sum, { items }) => sum + items, 0)
  const named = codes.map(({ code, items }) => `${items} ${code}`).join(", ")
  const told = kind === "open-items"
    ? `Notices begin: after execution ${execution} of the books ${counted(items, "item")} ${
      items === 1 ? "is" : "are"
    } open`
    : `${counted(items, "item")} are open that were not before execution ${execution} of the books`
  return `${told}${named === "" ? "" : ` (${named})`}. tallystick open lists them.`
}

const causeOf: Readonly<Record<Notice.OfClose["causes"][number]["of"], (number: number | undefined) => string>> = {
  records: () => "by their records",
  decision: (number) => `by decision ${number}`,
  policy: (number) => `by another policy since execution ${number}`,
  accounts: (number) => `by other accounts or addresses since execution ${number}`,
  surroundings: () => "by records around them or another version of the program"
}

/** So many causes are named. */
const CAUSES = 3

/** A close as it is told. */
type NamedClose = Pick<Notice.OfClose, "broken" | "causes" | "close" | "isAltered" | "reopened" | "state">

export const ofClose = ({ broken, causes, close, isAltered, reopened, state }: NamedClose): string => {
  const told = `Close ${close.number} of the period up to ${plain(close.through)}`
  const more = `tallystick periods ${close.number} tells more.`
  if (state === "over") {
    return reopened === undefined
      ? `${told} stands again as it was made.`
      : `${told} was taken back by row ${reopened} of the ledger, and is not compared any more. ${more}`
  }
  const others = causes.length > CAUSES ? ", and by other causes" : ""
  const named = causes.slice(0, CAUSES).map(({ entries, number, of }) => `${entries} ${causeOf[of](number)}`).join(", ")
  const moved = broken === 1 ? "1 entry does not stand as it did" : `${broken} entries do not stand as they did`
  const wrong = [
    ...(broken === 0 ? [] : [`${moved} (${named}${others})`]),
    ...(isAltered ? ["the tables of the books were altered"] : [])
  ]
  return `${told} is broken: ${wrong.join("; ")}. ${more}`
}

/** The moments that a condition is about, Unix ms. */
interface Moments {
  readonly deadline?: number
  readonly lastReading?: number | null
}

export const ofCondition = (
  kind: Notice.Condition,
  state: Notice.OfCondition["state"],
  { deadline, lastReading }: Moments
): string => {
  const isOn = state === "began"
  if (kind === "key-refused") {
    return isOn
      ? "The exchange refuses the key, so that nothing can be read. tallystick doctor tells more."
      : "The exchange takes the key again."
  }
  if (kind === "deadline") {
    const at = deadline === undefined ? "" : ` It forgets the first of them at ${time(deadline)}.`
    return isOn
      ? `The exchange soon forgets deposits that were not read, or does already.${at} tallystick sync must read them before.`
      : "Deposits are read in time again: the exchange soon forgets none that was not read."
  }
  const last = typeof lastReading === "number" ? ` The last reading was at ${time(lastReading)}.` : ""
  return isOn
    ? `Nothing was read from the exchange for an hour.${last} The log of tallystick sync says why.`
    : "The exchange is read again."
}
