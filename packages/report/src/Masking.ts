/**
 * Reports that can be shown to others: accounts, deposit addresses and memos under other names, the source's own records
 * left out. Amounts, times, codes and ids stay, so that every number is the same and an outcome can be looked up by its id.
 *
 * An account has the same pseudonym all over a report: `account-7` is the seventh of the accounts that were given, or,
 * where it was not given, numbered as it appears. Names are also replaced inside ids and references, where they stand as
 * words of their own, and inside the reasons of links and exclusions. Explanations are made anew from masked facts. Text that
 * a source wrote freely (a bad record, contents that conflict) is left out.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Explanation from "@tallystick/reconcile/Explanation"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Policy from "@tallystick/reconcile/Policy"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as MaskedFacts from "./internal/MaskedFacts.ts"
import * as Pseudonyms from "./internal/Pseudonyms.ts"

/** The text that stands in the place of one that is left out. */
const MASKED = "masked"

interface Mask {
  readonly learn: (outcome: Outcome.Outcome) => void
  readonly outcome: (outcome: Outcome.Outcome) => Outcome.Outcome
  readonly summary: (summary: Report.Summary) => Report.Summary
}

/** The names in the flows of a policy that are no names of accounts. */
const isKeyword = (name: string): boolean => name === "" || name === "*" || name === "master"

const make = (accounts: Accounts.Accounts): Mask => {
  const names = Pseudonyms.make()
  const account = (name: string): string => {
    const isMaster = Accounts.isMaster(accounts, name)
    return name === "" || (isMaster && name === "master") ? name : names.of(isMaster ? "master" : "account", name)
  }
  const inFlow = (name: string): string => (isKeyword(name) ? name : account(name))
  const address = (text: string): string => (text === "" ? "" : names.of("address", text))
  const memo = (text: string): string => (text === "" ? "" : names.of("memo", text))

  for (const name of [...Accounts.masterNames(accounts), ...accounts.list]) account(name)

  /** Masks the reason of a gap: the service's answer in it is a stranger's text. */
  const detail = (text: string): string => names.inSentence(text.replace(/; the answer begins: .*$/s, ""))

  const coverage = (one: Coverage.Coverage): Coverage.Coverage => ({
    ...one,
    ...(one.query === undefined ? {} : {
      query: {
        ...one.query,
        ...(one.query.fromAccount === undefined ? {} : { fromAccount: account(one.query.fromAccount) }),
        ...(one.query.toAccount === undefined ? {} : { toAccount: account(one.query.toAccount) })
      }
    }),
    ...(one.gap === undefined ? {} : { gap: { ...one.gap, detail: detail(one.gap.detail) } })
  })

  const entry = (one: Entry.Entry): Entry.Entry => {
    const { record: _, past, ...rest } = one
    return {
      ...rest,
      id: names.inKey(one.id),
      ...(one.account === undefined ? {} : { account: account(one.account) }),
      ...(one.reference === undefined ? {} : { reference: names.inKey(one.reference) }),
      ...(one.address === undefined ? {} : { address: address(one.address) }),
      ...(one.memo === undefined ? {} : { memo: memo(one.memo) }),
      ...(one.from === undefined ? {} : { from: account(one.from) }),
      ...(one.to === undefined ? {} : { to: account(one.to) }),
      ...(past === undefined ? {} : {
        past: past.conflicts === undefined ? past : { ...past, conflicts: past.conflicts.map(() => MASKED) }
      })
    }
  }

  /** The items of the books are of other days, too: their accounts may be named nowhere else. */
  const books = (books: Report.Books): Report.Books => ({
    ...books,
    carried: {
      ...books.carried,
      oldest: books.carried.oldest.map((item) =>
        Object.assign({}, item, {
          entries: item.entries.map((one) =>
            Object.assign(
              {},
              one,
              { id: names.inKey(one.id) },
              one.account === undefined ? undefined : { account: account(one.account) }
            )
          )
        })
      )
    }
  })

  const learn = ({ deposits, missing, transfers }: Outcome.Outcome): void => {
    for (const one of [...deposits, ...transfers]) entry(one)
    if (missing !== undefined) coverage(missing)
  }

  /** Masks a warning, in which these ids are shown as they are elsewhere. A longer id comes before one that is a part of it. */
  const warning = (text: string, [id, ...others]: ReadonlyArray<string>): string => {
    if (id === undefined) return names.inSentence(text)
    return text.split(`"${id}"`).map((part) => warning(part, others)).join(`"${names.inKey(id)}"`)
  }

  /** Masks the place of a record: an entry is named by its id, a line by its file. */
  const source = (text: string): string => (text.startsWith("entry ") ? names.inKey(text) : names.inSentence(text))

  // People wrote the reasons in a policy: a number in them may as well be a name.
  const facts = { id: names.inKey, account, text: names.inKey }

  const candidate = ({ because, id, side }: Outcome.Candidate) =>
    because === undefined ? [] : [{ side, id: names.inKey(id), because: MaskedFacts.note(facts, because) }]

  const said = ({ by, reason }: { readonly by?: string; readonly reason?: string }) => ({
    ...(by === undefined ? {} : { by: names.inKey(by) }),
    ...(reason === undefined ? {} : { reason: names.inKey(reason) })
  })

  /** People chose these texts, and a digest of a policy reveals the names in it that can be guessed. */
  const identity = (
    { approved, archive, closed, given, madeBy, title, ...rest }: Report.Identity
  ): Report.Identity => ({
    ...Struct.omit(rest, ["policy"]),
    ...(title === undefined ? {} : { title: names.inKey(title) }),
    ...(archive === undefined ? {} : { archive: names.inKey(archive) }),
    ...(given === undefined ? {} : { given: given.map(({ flag }) => ({ flag, file: "-" })) }),
    ...(madeBy === undefined ? {} : { madeBy: names.inKey(madeBy) }),
    ...(approved === undefined ? {} : { approved: { ...approved, by: approved.by.map(names.inKey) } }),
    ...(closed === undefined ? {} : { closed: { ...closed, by: names.inKey(closed.by) } })
  })

  type Link = Policy.Resolved["links"][number]
  const link = (one: Link): Link => ({
    deposits: [names.inKey(one.deposits[0]), ...one.deposits.slice(1).map(names.inKey)],
    transfers: [names.inKey(one.transfers[0]), ...one.transfers.slice(1).map(names.inKey)],
    ...said(one)
  })

  return {
    learn,
    outcome: (outcome) => {
      learn(outcome)
      const { accepted, bad, because, missing, pairs, ...rest } = Struct.omit(outcome, ["rule"])
      const masked = {
        ...rest,
        deposits: outcome.deposits.map(entry),
        transfers: outcome.transfers.map(entry),
        ...(bad === undefined ? {} : { bad: { ...bad, source: source(bad.source), reason: MASKED, raw: MASKED } }),
        ...(missing === undefined ? {} : { missing: coverage(missing) }),
        ...(accepted === undefined ? {} : {
          accepted: { ...accepted, by: names.inKey(accepted.by), words: names.inKey(accepted.words) }
        }),
        ...(pairs === undefined ? {} : {
          pairs: pairs.map(({ deposit, lagMs, transfer }) => ({
            deposit: names.inKey(deposit),
            transfer: names.inKey(transfer),
            lagMs
          }))
        })
      }
      const told = outcome.candidates.flatMap(candidate)
      if (because !== undefined && told.length === outcome.candidates.length) {
        const explained = Result.try(() =>
          Explanation.explain({ ...masked, candidates: told, because: MaskedFacts.because(facts, because) })
        )
        // Facts that do not fit the entries of their outcome cannot be told.
        if (Result.isSuccess(explained)) return explained.success
      }
      // Words without their facts, as of version 0.1, cannot be made again, and may name anybody.
      const candidates = outcome.candidates.map(({ id, side }) => ({ side, id: names.inKey(id), reason: MASKED }))
      return { ...masked, candidates, explanation: MASKED }
    },
    summary: (summary) => {
      const flows = summary.flows.map((flow) => ({ ...flow, from: inFlow(flow.from), to: inFlow(flow.to) }))
      const { exclude, forbid, links } = summary.policy
      const [first = "", ...more] = summary.accounts.master.map(account)
      const scope: Accounts.Accounts = {
        master: [first, ...more],
        list: Array.from({ length: summary.accounts.count }, () => MASKED),
        complete: summary.accounts.complete,
        ...(summary.accounts.provenAt === undefined ? {} : { provenAt: summary.accounts.provenAt })
      }
      const covered = summary.coverage.map(coverage)
      const faults = summary.decisions?.faults ?? []
      // Warnings quote ids of the policy and of decisions, and no others.
      const ids = [
        ...exclude.map(({ id }) => id),
        ...links.flatMap(({ deposits, transfers }) => [...deposits, ...transfers]),
        ...faults.flatMap(({ entries }) => entries.map(({ id }) => id))
      ]
        .toSorted((one, other) => other.length - one.length)
      return {
        ...summary,
        ...(summary.identity === undefined ? {} : { identity: identity(summary.identity) }),
        // The sentence is made again, because a name that is a number cannot be told from other numbers in it.
        meaning: Report.meaning({ ...summary.policy, flows }, scope, covered),
        policy: {
          ...summary.policy,
          flows,
          exclude: exclude.map((one) => Object.assign({}, one, { id: names.inKey(one.id) }, said(one))),
          links: links.map(link),
          forbid: forbid.map((one) =>
            Object.assign(
              { deposit: names.inKey(one.deposit), transfer: names.inKey(one.transfer) },
              said(one)
            )
          )
        },
        flows,
        // A digest of names that can be guessed reveals them.
        accounts: { ...summary.accounts, master: [first, ...more], digest: MASKED },
        addresses: { ...summary.addresses, digest: MASKED },
        coverage: covered,
        unread: summary.unread.map(coverage),
        ...(summary.decisions === undefined ? {} : {
          decisions: {
            ...summary.decisions,
            faults: faults.map(({ entries, text, ...rest }) =>
              Object.assign({}, rest, {
                text: warning(text, ids),
                entries: entries.map(({ id, side }) => ({ side, id: names.inKey(id) }))
              })
            )
          }
        }),
        ...(summary.books === undefined ? {} : { books: books(summary.books) }),
        warnings: summary.warnings.map((text) => warning(text, ids))
      }
    }
  }
}

/** Returns the report with masked names. `accounts` are those of the run, and number the pseudonyms. */
export const report = (report: Report.Report, accounts: Accounts.Accounts): Report.Report => {
  const mask = make(accounts)
  const { outcomes, ...summary } = report
  // A text may hold a name that only a later outcome shows.
  for (const outcome of outcomes) mask.learn(outcome)
  return { ...mask.summary(summary), outcomes: outcomes.map(mask.outcome) }
}

/**
 * Masks outcomes as they come. A name in a key or a sentence is known only if it was given, or after an entry of that account has
 * come. A caller that can read the outcomes twice gives them as `known` too; then their order does not matter.
 */
export const events = <E, R, E2 = never, R2 = never>(
  events: Stream.Stream<Reconciliation.Event, E, R>,
  accounts: Accounts.Accounts,
  known: Stream.Stream<Outcome.Outcome, E2, R2> = Stream.empty
): Stream.Stream<Reconciliation.Event, E | E2, R | R2> =>
  Stream.unwrap(Effect.gen(function*() {
    const mask = make(accounts)
    yield* Stream.runForEachArray(known, (outcomes) => Effect.sync(() => outcomes.forEach(mask.learn)))
    return Stream.map(events, (event): Reconciliation.Event =>
      event._tag === "Outcome"
        ? { _tag: "Outcome", outcome: mask.outcome(event.outcome) }
        : { _tag: "Summary", summary: mask.summary(event.summary) })
  }))
