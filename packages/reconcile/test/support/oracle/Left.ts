/** What the tiers leave, in order of priority. Every step sees only what those before it left open. */
import type * as Entry from "../../../src/Entry.ts"
import * as Desk from "./Desk.ts"
import * as Groups from "./Groups.ts"

type Pairing = (deposit: Entry.Entry, transfer: Entry.Entry) => boolean

const equalIn = (law: Desk.Law): Pairing => (deposit, transfer) =>
  Desk.isCompatible(law, deposit, transfer) && Desk.isEqual(deposit, transfer) &&
  Desk.isInWindow(law, deposit, transfer)

const isWaiting = ({ status }: Entry.Entry): boolean => status === "pending" || status === "unknown"

const forth = (entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<Entry.Entry> =>
  entries.filter((entry) => Desk.way(entry) === "forth")

const waits = (desk: Desk.Desk) => (side: Entry.Side): ReadonlyArray<Entry.Entry> =>
  forth(desk.open(side)).filter(isWaiting)

/** The same windows, up to the end of those that count from when the deposit was first seen settled. */
const equalInSpan = (law: Desk.Law): Pairing => (deposit, transfer) =>
  Desk.isCompatible(law, deposit, transfer) && Desk.isEqual(deposit, transfer) &&
  Desk.isInSpan(law, deposit, transfer)

const fitsInSpan = (law: Desk.Law): Pairing => (deposit, transfer) =>
  Desk.isCompatible(law, deposit, transfer) && Desk.isInSpan(law, deposit, transfer) &&
  Desk.isFitting(law, deposit, transfer)

/** Whether the two would match, or one would be late for the other, if both were settled. */
const mayBelong = (law: Desk.Law): Pairing => (deposit, transfer) => {
  const isNear = Desk.isEqual(deposit, transfer) && Desk.isInHorizon(law, deposit, transfer)
  return fitsInSpan(law)(deposit, transfer) || (isNear && Desk.isCompatible(law, deposit, transfer))
}

const isLate = (law: Desk.Law): Pairing => (deposit, transfer) =>
  Desk.isEqual(deposit, transfer) && mayBelong(law)(deposit, transfer)

/** What failed for a deposit for which another try is under way may have been for no other. */
export const failedAttempt = (desk: Desk.Desk): void => {
  const { law } = desk
  const failed = forth(desk.open("transfer")).filter(({ status }) => status === "failed")
  const some = (transfers: ReadonlyArray<Entry.Entry>, holds: Pairing) => (deposit: Entry.Entry): boolean =>
    transfers.some((transfer) => holds(deposit, transfer))
  const isMoved = some(desk.settled("transfer"), isLate(law))
  const isRetried = some(waits(desk)("transfer"), mayBelong(law))
  const deposits = desk.settled("deposit").filter((deposit) => !isMoved(deposit))
  for (const group of Groups.connected(Groups.edges(deposits, failed, equalInSpan(law)))) {
    if (!group.some(({ deposit }) => isRetried(deposit))) desk.say("failed-attempt", Groups.members(group))
    else for (const transfer of new Set(group.map(({ transfer }) => transfer))) desk.say("not-settled", [transfer])
  }
}

/** What is not settled and what it would match; then, each on its own, what one of these may be late for, or those for which it may be. */
export const waiting = (desk: Desk.Desk): void => {
  const { law } = desk
  const between = (holds: Pairing) => [
    ...Groups.edges(desk.settled("deposit"), waits(desk)("transfer"), holds),
    ...Groups.edges(waits(desk)("deposit"), desk.settled("transfer"), holds)
  ]
  const doubtful = Groups.members(between(mayBelong(law)))
  const late = Groups.connected(Groups.edges(desk.settled("deposit"), desk.settled("transfer"), isLate(law)))
    .map(Groups.members)
    .filter((members) => [...members].some((member) => doubtful.has(member)))
  for (const group of Groups.connected(between(fitsInSpan(law)))) {
    const members = [...Groups.members(group)]
    desk.say(members.some(({ status }) => status === "unknown") ? "unknown-status" : "unconfirmed", members)
  }
  const left = new Set([...doubtful, ...late.flatMap((members) => Array.from(members))])
  for (const entry of [...desk.settled("deposit"), ...desk.settled("transfer")]) {
    if (left.has(entry)) desk.say("unconfirmed", [entry])
  }
}

export const wrongDirection = (desk: Desk.Desk): void => {
  const back = () =>
    desk.open("transfer").filter((transfer) => transfer.status === "settled" && Desk.way(transfer) === "back")
  for (const { deposit, transfer } of Groups.lone(Groups.edges(desk.settled("deposit"), back(), equalIn(desk.law)))) {
    desk.say("wrong-direction", [deposit, transfer])
  }
  for (const transfer of back()) desk.say("out-of-flow", [transfer])
}

export const accountMismatch = (desk: Desk.Desk): void => {
  const { law } = desk
  const pairs = Groups.edges(
    desk.settled("deposit"),
    desk.settled("transfer"),
    (deposit, transfer) =>
      deposit.asset === transfer.asset && Desk.isElsewhere(deposit, transfer) &&
      Desk.isPermitted(law, deposit, transfer) && Desk.isEqual(deposit, transfer) &&
      Desk.isInWindow(law, deposit, transfer)
  )
  for (const { deposit, transfer } of Groups.lone(pairs)) desk.say("account-mismatch", [deposit, transfer])
}

/** What is equal in the window from when a deposit was first seen settled, with all that is late for either. */
export const settledLater = (desk: Desk.Desk): void =>
  sayLate(desk, (group) => group.some(({ deposit, transfer }) => Desk.isInLaterWindow(desk.law, deposit, transfer)))

export const late = (desk: Desk.Desk): void => sayLate(desk, () => true)

/** What fits from then, but is not equal. */
export const settledUnlike = (desk: Desk.Desk): void => {
  const { law } = desk
  const deposits = desk.settled("deposit").filter((deposit) => Desk.delayOf(deposit) > 0)
  for (const group of Groups.connected(Groups.edges(deposits, desk.settled("transfer"), fitsInSpan(law)))) {
    desk.say("ambiguous", Groups.members(group))
  }
}

const sayLate = (desk: Desk.Desk, isMeant: (group: ReadonlyArray<Groups.Edge>) => boolean): void => {
  const { law } = desk
  const pairs = Groups.edges(
    desk.settled("deposit"),
    desk.settled("transfer"),
    (deposit, transfer) =>
      Desk.isCompatible(law, deposit, transfer) && Desk.isEqual(deposit, transfer) &&
      Desk.isInHorizon(law, deposit, transfer)
  )
  const fits: Pairing = (deposit, transfer) =>
    fitsInWindow(law)(deposit, transfer) ||
    (Desk.isCompatible(law, deposit, transfer) && Desk.isEqual(deposit, transfer) &&
      Desk.isInHorizon(law, deposit, transfer, 0))
  for (const group of Groups.connected(pairs).filter(isMeant)) {
    const [only] = group
    if (only === undefined) continue
    const isSettledLater = Desk.isInLaterWindow(law, only.deposit, only.transfer)
    const code = isSettledLater ? "exact" : Desk.lag(only.deposit, only.transfer) > law.after ? "late" : "early"
    const isGiven = [only.deposit, only.transfer].some((entry) => isGivenAway(desk, entry, fits))
    desk.say(group.length > 1 || isGiven ? "ambiguous" : code, Groups.members(group))
  }
}

export const amountMismatch = (desk: Desk.Desk): void => {
  const { law } = desk
  const pairs = Groups.edges(
    desk.settled("deposit"),
    desk.settled("transfer"),
    (deposit, transfer) => Desk.isCompatible(law, deposit, transfer) && Desk.isInWindow(law, deposit, transfer)
  )
  for (const { deposit, transfer } of Groups.lone(pairs)) {
    const [left, right] = [Desk.amountOf(deposit), Desk.amountOf(transfer)]
    const isNear = 10n * Desk.residual(deposit, transfer) <= (left < right ? left : right)
    const account = Desk.accountOf(deposit)
    const isKnown = account !== undefined && account === Desk.accountOf(transfer)
    if (isNear && (isKnown || Desk.sameReference(law, deposit, transfer))) {
      desk.say("amount-mismatch", [deposit, transfer])
    }
  }
}

/** All smaller candidates of an entry, none of which has another candidate, and which do not suffice. */
export const splitIncomplete = (desk: Desk.Desk): void => {
  const { law } = desk
  const pairs = Groups.edges(
    desk.settled("deposit"),
    desk.settled("transfer"),
    (deposit, transfer) => Desk.isCompatible(law, deposit, transfer) && Desk.isInWindow(law, deposit, transfer)
  )
  const othersOf = (entry: Entry.Entry): ReadonlyArray<Entry.Entry> =>
    pairs.flatMap(({ deposit, transfer }) => (deposit === entry ? [transfer] : transfer === entry ? [deposit] : []))
  for (const target of Groups.members(pairs)) {
    const parts = othersOf(target).filter((part) => Desk.amountOf(part) < Desk.amountOf(target))
    const sum = parts.reduce((total, part) => total + Desk.amountOf(part), 0n)
    if (parts.length < 2 || sum >= Desk.amountOf(target)) continue
    if (parts.every((part) => othersOf(part).length === 1)) desk.say("split-incomplete", [target, ...parts])
  }
}

export const notSettled = (desk: Desk.Desk): void => {
  for (const entry of [...desk.open("deposit"), ...desk.open("transfer")]) {
    if (entry.status === "pending") desk.say("unconfirmed", [entry])
    if (entry.status === "unknown") desk.say("unknown-status", [entry])
    if (entry.status === "failed") desk.say("not-settled", [entry])
  }
}

const likeness = (entry: Entry.Entry): string =>
  JSON.stringify([
    entry.side,
    entry.asset,
    String(Desk.amountOf(entry)),
    Desk.accountOf(entry),
    entry.address,
    entry.memo,
    entry.from,
    entry.to,
    entry.fromType,
    entry.toType
  ])

const matched: ReadonlySet<string> = new Set(["reference", "exact", "tolerant", "class-balanced"])

export const duplicateSuspect = (desk: Desk.Desk): void => {
  const reach = Math.max(Math.abs(desk.law.before), Math.abs(desk.law.after))
  const taken = desk.verdicts.filter(({ code }) => matched.has(code)).flatMap(({ members }) => members)
  for (const entry of [...desk.open("deposit"), ...desk.open("transfer")]) {
    const isTwin = (other: Entry.Entry): boolean =>
      likeness(other) === likeness(entry) && Math.abs(other.at - entry.at) <= reach
    if (taken.some(isTwin)) desk.say("duplicate-suspect", [entry])
  }
}

const isAlike = (one: string, other: string): boolean =>
  one !== other && (one.toUpperCase() === other.toUpperCase() || `${one}-TRX` === other || one === `${other}-TRX`)

export const assetMismatch = (desk: Desk.Desk): void => {
  const { law } = desk
  const pairs = Groups.edges(
    desk.settled("deposit"),
    desk.settled("transfer"),
    (deposit, transfer) =>
      isAlike(deposit.asset, transfer.asset) && !Desk.isElsewhere(deposit, transfer) &&
      Desk.isPermitted(law, deposit, transfer) && Desk.isEqual(deposit, transfer) &&
      Desk.isInWindow(law, deposit, transfer)
  )
  for (const { deposit, transfer } of Groups.lone(pairs)) desk.say("asset-mismatch", [deposit, transfer])
}

/** Whether weak evidence gave away a counterpart that `fits` the entry. */
const isGivenAway = (desk: Desk.Desk, entry: Entry.Entry, fits: Pairing): boolean =>
  desk.verdicts.filter(({ isWeak }) => isWeak).some(({ members }) =>
    members.filter(({ side }) => side !== entry.side).some((other) =>
      fits(...(entry.side === "deposit" ? [entry, other] as const : [other, entry] as const))
    )
  )

const fitsInWindow = (law: Desk.Law): Pairing => (deposit, transfer) =>
  Desk.isCompatible(law, deposit, transfer) && Desk.isInWindow(law, deposit, transfer) &&
  Desk.isFitting(law, deposit, transfer)

/** Missing, unless weak evidence gave away what fits. */
export const missing = (desk: Desk.Desk): void => {
  for (const entry of [...desk.open("deposit"), ...desk.open("transfer")]) {
    const isGiven = isGivenAway(desk, entry, fitsInWindow(desk.law))
    desk.say(isGiven ? "ambiguous" : entry.side === "deposit" ? "missing-transfer" : "missing-deposit", [entry])
  }
}

/** What is missing and the only other that is, of one account, that it could belong to but for a time that no rule reaches. */
export const farCounterparts = ({ law, verdicts }: Desk.Desk): ReadonlyMap<Entry.Entry, Entry.Entry> => {
  const reach = 2 * (Math.max(Math.abs(law.before), Math.abs(law.after)) + law.late)
  const of = (code: string) => verdicts.filter((verdict) => verdict.code === code).flatMap(({ members }) => members)
  const pairs = Groups.edges(
    of("missing-transfer"),
    of("missing-deposit"),
    (deposit, transfer) =>
      Desk.isCompatible(law, deposit, transfer) && Desk.isEqual(deposit, transfer) &&
      Math.abs(Desk.lag(deposit, transfer)) <= reach
  )
  const named = Groups.lone(pairs).filter(({ deposit, transfer }) =>
    Desk.accountOf(deposit) === Desk.accountOf(transfer) && !Desk.isInHorizon(law, deposit, transfer)
  )
  return new Map(named.flatMap(({ deposit, transfer }) => [[deposit, transfer], [transfer, deposit]]))
}

const inOrder = (one: Entry.Entry, other: Entry.Entry): readonly [deposit: Entry.Entry, transfer: Entry.Entry] =>
  one.side === "deposit" ? [one, other] : [other, one]

const certain: ReadonlySet<string> = new Set(["reference", "reversed"])

/**
 * What was said though something that another verdict holds may belong there instead: either of the two was left over, is short
 * of counterparts, or is in what is no match; or a deposit that settled later has its match, or would have it, in another window.
 */
export const doubted = ({ law, verdicts }: Desk.Desk): ReadonlySet<Desk.Verdict> => {
  const isForth = (entry: Entry.Entry): boolean => Desk.isSettled(entry) && Desk.way(entry) === "forth"
  const mayGo = ({ code, members }: Desk.Verdict, entry: Entry.Entry): boolean =>
    isForth(entry) && !certain.has(code) &&
    !members.some((other) => other.side !== entry.side && Desk.sameReference(law, ...inOrder(entry, other)))
  const isLoose = (verdict: Desk.Verdict, entry: Entry.Entry): boolean => {
    const { code, members, pairs } = verdict
    if (Desk.isSettled(entry) && Desk.way(entry) === "back") return !certain.has(code)
    return mayGo(verdict, entry) && !matched.has(code) &&
      members.filter(({ side }) => side === entry.side).length > pairs
  }
  const mayBeLater: Pairing = (deposit, transfer) =>
    Desk.isCompatible(law, deposit, transfer) && Desk.isOnlyInLaterWindow(law, deposit, transfer) &&
    Desk.isFitting(law, deposit, transfer)
  const mayBe = (deposit: Entry.Entry, transfer: Entry.Entry): boolean => {
    const isElsewhere = deposit.asset === transfer.asset && Desk.isElsewhere(deposit, transfer) &&
      Desk.isPermitted(law, deposit, transfer)
    const isEqualInSpan = Desk.isEqual(deposit, transfer) && Desk.isInSpan(law, deposit, transfer)
    if (Desk.way(transfer) === "back") return isEqualInSpan && Desk.isCompatible(law, deposit, transfer)
    return isElsewhere
      ? isEqualInSpan
      : isLate(law)(deposit, transfer) || mayBeLater(deposit, transfer)
  }
  const found = new Set<Desk.Verdict>()
  const held = (side: Entry.Side) =>
    verdicts.flatMap((verdict) =>
      verdict.members.filter((entry) => entry.side === side).map((entry) => ({ verdict, entry }))
    )
  for (const left of held("deposit")) {
    for (const right of held("transfer")) {
      if (left.verdict === right.verdict) continue
      const loose = [left, right].filter(({ entry, verdict }) => isLoose(verdict, entry))
      const mayBoth = [left, right].every(({ entry, verdict }) => mayGo(verdict, entry))
      const isDoubtful = loose.length === 2
        ? mayBe(left.entry, right.entry)
        : loose.length === 1 && mayBoth && mayBeLater(left.entry, right.entry)
      if (!isDoubtful) continue
      found.add(left.verdict)
      found.add(right.verdict)
    }
  }
  const undecided: ReadonlySet<string> = new Set(["unconfirmed", "unknown-status"])
  return new Set([...found].filter(({ code }) => !undecided.has(code)))
}
