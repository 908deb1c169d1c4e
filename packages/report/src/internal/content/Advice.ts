/** Says what to do about an outcome: a sentence, and the commands to copy. None of the commands changes anything as it stands. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as DateTime from "effect/DateTime"
import * as CommandLine from "./CommandLine.ts"

/** A command to copy. */
export interface Command {
  /** Says what it does. */
  readonly label: string
  readonly text: string
}

/** The advice about an outcome. */
export interface Advice {
  readonly sentence: string
  readonly commands: ReadonlyArray<Command>
}

/** What the commands can refer to. */
export interface Scope {
  /** Whether the report is of a recorded run of an archive, whose commands name its outcomes and entries. */
  readonly isKept: boolean
  /** Whether the run brought the books of the archive forward, which know the outcomes that wait. */
  readonly isBooked: boolean
  /** Whether the names of its entries are masked, so that nobody can find an entry by them. */
  readonly isMasked: boolean
  /** The files that flags named as the report was made. */
  readonly given: ReadonlyArray<Given>
}

type Given = NonNullable<Report.Identity["given"]>[number]

/** The flags that say which archive is asked. */
const ofArchive: ReadonlySet<Given["flag"]> = new Set(["config", "archive-file"])

/** Returns a command about the archive of the report; none where it would have to name a file that cannot be named again. */
const command = (
  label: string,
  { given }: Scope,
  words: ReadonlyArray<string>,
  names: ReadonlyArray<string> = []
): ReadonlyArray<Command> =>
  given.every(({ file }) => CommandLine.isValue(file))
    ? [{
      label,
      text: CommandLine.of([...words, ...given.flatMap(({ file, flag }) => [`--${flag}`, file])], names)
    }]
    : []

/** Returns the scope of commands that look up what is kept, and ask nothing anew. */
const looking = (scope: Scope): Scope => ({ ...scope, given: scope.given.filter(({ flag }) => ofArchive.has(flag)) })

type Advised = Exclude<Outcome.Code, typeof Outcome.codes.matched[number] | typeof Outcome.codes["set-aside"][number]>

const sentences: Readonly<Record<Advised, string>> = {
  "missing-transfer":
    "Check whether the money is still in the account: have it moved, or link the deposit with the movement that took it.",
  "missing-deposit": "Find out what was moved here: link the transfer with its deposit, or accept it with the reason.",
  "amount-mismatch":
    "Find out what the difference is: write a fee into the policy, or link the two with the reason of the difference.",
  late: "Find out why it took so long; link the pair if it belongs together.",
  early: "Find out why the transfer came first; link the pair if it belongs together.",
  "class-short":
    "Look for the counterparts that are lacking; the amounts are equal, so any of the entries may lack one.",
  ambiguous: "Say which entries belong together: only somebody who knows can.",
  "split-incomplete": "Look for the part that is lacking, or link what belongs together with the reason of the rest.",
  "split-ambiguous": "Say which parts make up the sum: only somebody who knows can.",
  "search-exhausted": "Narrow the window or the tolerance of the policy, or link what you know.",
  "failed-attempt": "Check whether it was made in another way meanwhile; if it was not, have the transfer made again.",
  "wrong-direction": "Have the money moved back, and the deposit moved on.",
  "account-mismatch": "Find out from which account the money was moved, and settle it between the two.",
  reversed: "Find out why it was moved back, and whether it must be moved again.",
  "duplicate-suspect":
    "Find out whether it happened once or twice: exclude a record that came twice, and have real money moved back.",
  "source-conflict": "Ask the source which version is right, and read that time again.",
  vanished: "Ask the source why it no longer shows the record; the archive keeps it as it was.",
  "status-regressed": "Ask the source why the status went back, and wait until it settles.",
  "asset-mismatch": "Find out whether both are one asset: write it into the aliases of the policy if they are.",
  "in-flight": "Wait: its window is not over yet.",
  unconfirmed: "Wait until the source confirms it.",
  "unknown-status": "Write what this status means into the statuses of the policy.",
  "coverage-gap": "Read the time that was not read, and reconcile again."
}

const ofAny: Readonly<Partial<Record<Outcome.Code, string>>> = sentences

const UNATTRIBUTED =
  "Give an address book that says whose the address is, or vouch that the list of accounts is complete."

/** Stands for the words of whoever decides. A dry run decides nothing, so it may stand in a command. */
const why = (reason: string): ReadonlyArray<string> => ["--reason", reason, "--words", "say why here", "--dry-run"]

/** Codes of which the entries are one pair, to be linked once somebody knows that it belongs together. */
const pairs: ReadonlySet<Outcome.Code> = new Set([
  "amount-mismatch",
  "late",
  "early",
  "account-mismatch",
  "split-incomplete"
])

const reasons: Readonly<Partial<Record<Outcome.Code, string>>> = {
  "amount-mismatch": "fee",
  "account-mismatch": "moved-elsewhere",
  "wrong-direction": "network-mistake",
  "duplicate-suspect": "duplicate"
}

/** Stands in masked reports in the place of a digest of names. */
const MASKED = "masked"

/** More entries than these make no command that anybody reads. */
const LINKED = 12

const linked = ({ code, deposits, transfers }: Outcome.Outcome, scope: Scope): ReadonlyArray<Command> => {
  const ids = [...deposits, ...transfers].map(({ id }) => id)
  if (!pairs.has(code) || ids.length > LINKED || !ids.every(CommandLine.isShown)) return []
  return command(
    "Try what linking them would change",
    scope,
    ["decide", "link", ...why(reasons[code] ?? "other")],
    ids
  )
}

const excluded = ({ code, deposits, transfers }: Outcome.Outcome, scope: Scope): ReadonlyArray<Command> => {
  const [one, ...others] = [...deposits, ...transfers]
  if (code !== "duplicate-suspect" || one === undefined || others.length > 0 || !CommandLine.isShown(one.id)) return []
  return command("Try what excluding it would change", scope, ["decide", "exclude", ...why("duplicate")], [one.id])
}

const accepted = ({ code, final, id }: Outcome.Outcome, scope: Scope): ReadonlyArray<Command> =>
  command(
    "Try what accepting it would change",
    scope,
    ["decide", "accept", ...(final ? [] : ["--provisional"]), ...why(reasons[code] ?? "other")],
    [id]
  )

const iso = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms)).replace(".000Z", "Z")

/** Gaps that another reading may close. */
const readable: ReadonlySet<string> = new Set(["failed-page", "unproven", "not-read"])

const read = ({ missing }: Outcome.Outcome, scope: Scope): ReadonlyArray<Command> =>
  missing?.gap === undefined || missing.from <= 0 || !readable.has(missing.gap.code)
    ? []
    : command("Read it again", scope, ["sync", "--since", iso(missing.from)])

/** Returns the commands about an outcome of an archive. */
const commandsOf = (outcome: Outcome.Outcome, scope: Scope): ReadonlyArray<Command> => {
  const { isBooked, isMasked } = scope
  const look = isBooked
    ? command("See what became of it", looking(scope), ["item"], [outcome.id])
    : command("See all that was considered", looking(scope), ["show"], [outcome.id])
  if (outcome.outcome === "undetermined") return [...look, ...read(outcome, scope)]
  if (outcome.outcome !== "discrepancy") return []
  return [
    ...look,
    ...(isMasked ? [] : [...linked(outcome, scope), ...excluded(outcome, scope)]),
    ...(isBooked ? accepted(outcome, scope) : [])
  ]
}

/** Returns the command that tells all that the books say of an item. It does not say which archive is asked. */
export const ofItem = (id: string): Command => ({
  label: "See all that the books say of it",
  text: CommandLine.of(["item"], [id])
})

/** Returns what the commands of a report can refer to. */
export const scopeOf = ({ accounts, books, identity }: Report.Summary): Scope => ({
  isKept: identity?.run !== undefined,
  isBooked: books !== undefined || identity?.execution !== undefined,
  isMasked: accounts.digest === MASKED,
  given: identity?.given ?? []
})

/** Returns the sentence of the advice alone. */
export const sentenceOf = (outcome: Outcome.Outcome): string | undefined =>
  outcome.accepted !== undefined
    ? undefined
    : outcome.missing?.gap?.code === "unattributed"
    ? UNATTRIBUTED
    : ofAny[outcome.code]

/** Returns the advice; none about what is matched, set aside or accepted. */
export const of = (outcome: Outcome.Outcome, scope: Scope): Advice | undefined => {
  const sentence = sentenceOf(outcome)
  return sentence === undefined ? undefined : { sentence, commands: scope.isKept ? commandsOf(outcome, scope) : [] }
}
