/** Finds the decisions of a page among all that the ledger has. */
import * as Decision from "../../Decision.ts"
import type * as DecisionPage from "../../DecisionPage.ts"
import * as Limit from "../sql/Limit.ts"
import * as About from "./About.ts"
import type * as Ledger from "./Ledger.ts"

const USUAL = 50

const MOST = 1000

type Test = (decision: Decision.Decision) => boolean

/** What is searched of each decision, in small letters: bodies never change, and making it takes longer than searching it. */
const searched = new WeakMap<Decision.Body, string>()

const textOf = (body: Decision.Body): string => {
  const known = searched.get(body)
  if (known !== undefined) return known
  const parts = [
    body.by,
    body.words ?? "",
    ...(Decision.isFollowed(body) ? [body.reason] : []),
    ...Decision.subjects(body).flatMap(({ asset, id }) => [id, asset])
  ]
  const text = parts.join("\n").toLowerCase()
  searched.set(body, text)
  return text
}

const holdsText = (text: string): Test => {
  const small = text.toLowerCase()
  return ({ body }) => textOf(body).includes(small)
}

/** Names are few, and each is compared once. */
const isBy = (name: string): Test => {
  const known = new Map<string, boolean>()
  return ({ body: { by } }) => {
    const isSame = known.get(by) ?? Decision.isSamePerson(by, name)
    known.set(by, isSame)
    return isSame
  }
}

const isAbout = (
  { id, side }: NonNullable<DecisionPage.Asked["entry"]>,
  decisions: ReadonlyArray<Decision.Decision>
): Test => {
  const aboutOf = About.make(decisions)
  return (decision) => {
    const about = aboutOf(decision)
    return about !== undefined && Decision.subjects(about.body).some((one) => one.id === id && one.side === side)
  }
}

const stands: Readonly<Record<NonNullable<DecisionPage.Asked["standing"]>, Test>> = {
  holds: Decision.holds,
  proposed: Decision.isProposed,
  revoked: ({ revokedBy }) => revokedBy !== undefined
}

/** All that is asked of a decision, but for the place of its page. */
const tests = (
  { by, entry, kinds, standing, text }: DecisionPage.Asked,
  decisions: ReadonlyArray<Decision.Decision>
): ReadonlyArray<Test> => [
  ...(kinds === undefined ? [] : [({ body }: Decision.Decision) => kinds.includes(body.kind)]),
  ...(standing === undefined ? [] : [stands[standing]]),
  ...(by === undefined ? [] : [isBy(by)]),
  ...(entry === undefined ? [] : [isAbout(entry, decisions)]),
  ...(text === undefined ? [] : [holdsText(text)])
]

export const page = (
  { decisions, fault, head }: Ledger.Read,
  asked: DecisionPage.Asked
): DecisionPage.DecisionPage => {
  const { before = Number.POSITIVE_INFINITY, limit = USUAL } = asked
  const asks = tests(asked, decisions)
  const found = asks.length === 0 ? decisions : decisions.filter((one) => asks.every((test) => test(one)))
  const end = found.findLastIndex(({ body }) => body.number < before) + 1
  const begin = Math.max(end - Limit.clipped(limit, MOST), 0)
  const [first] = found.slice(begin, end)
  return {
    decisions: found.slice(begin, end).toReversed(),
    ...(begin === 0 || first === undefined ? {} : { next: first.body.number }),
    count: found.length,
    head,
    ...(fault === undefined ? {} : { fault })
  }
}
