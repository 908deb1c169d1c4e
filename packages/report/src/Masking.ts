/**
 * Reports that can be shown to others: accounts, deposit addresses and memos under other names, the source's own records
 * left out. Amounts, times, codes and ids stay, so that every number is the same and an outcome can be looked up by its id.
 *
 * An account has the same pseudonym all over a report: `account-7` is the seventh of the accounts that were given, or,
 * where it was not given, numbered as it appears. Names are also replaced inside ids, references and explanations, where
 * they stand as words of their own. Text that a source wrote freely (a bad record, contents that conflict) is left out.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Policy from "@tallystick/reconcile/Policy"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Pseudonyms from "./internal/Pseudonyms.ts"

/** The text in the place of a text that is left out. */
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
  const account = (name: string): string =>
    isKeyword(name) ? name : names.of(Accounts.isMaster(accounts, name) ? "master" : "account", name)
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

  const learn = ({ deposits, missing, transfers }: Outcome.Outcome): void => {
    for (const one of [...deposits, ...transfers]) entry(one)
    if (missing !== undefined) coverage(missing)
  }

  /** Masks a sentence, in which these ids are shown as they are elsewhere. */
  const sentence = (text: string, [id, ...others]: ReadonlyArray<string>): string => {
    if (id === undefined) return names.inSentence(text)
    let result = ""
    let end = 0
    for (const at of Pseudonyms.idsIn(text, id)) {
      result += sentence(text.slice(end, at), others) + names.inKey(id)
      end = at + id.length
    }
    return result + sentence(text.slice(end), others)
  }

  /** The ids of entries that took a counterpart away, and are no part of the outcome. */
  const takers = (text: string): ReadonlyArray<string> =>
    Array.from(text.matchAll(/\btaken by (?:deposit |transfer )?(\S+)/g), ([, id = ""]) => id.replace(/[;,.]$/, ""))

  /** Counts how often the amounts of an outcome occur in a sentence. */
  const money = ({ deposits, transfers }: Outcome.Outcome, text: string): string =>
    JSON.stringify([...deposits, ...transfers].map(({ amount, asset }) => text.split(`${amount} ${asset}`).length))

  /**
   * Masks the sentence of an outcome. If a name is such that an amount would be lost, the sentence is left out: it must
   * not be wrong.
   */
  const told = (outcome: Outcome.Outcome) => {
    const { candidates, deposits, transfers } = outcome
    const members = [...deposits, ...transfers, ...candidates].map(({ id }) => id)
    return (text: string): string => {
      const kept = text.replace(/(It was also|also) told with .*$/s, "$1 told with other contents, which are masked.")
      const ids = Array.from(new Set([...members, ...takers(kept)]))
        .filter((id) => names.inKey(id) !== id)
        .toSorted((one, other) => other.length - one.length)
      const masked = sentence(kept, ids)
      return money(outcome, masked) === money(outcome, kept) ? masked : MASKED
    }
  }

  /** Masks the place of a record: an entry is named by its id, a line by its file. */
  const source = (text: string): string => (text.startsWith("entry ") ? names.inKey(text) : names.inSentence(text))

  const badRecord = ({ bad, explanation }: Outcome.Outcome, say: (text: string) => string) =>
    bad === undefined ? { explanation: say(explanation) } : {
      explanation: `A ${bad.side} could not be read (${[source(bad.source), bad.path].filter(Boolean).join(", ")}); ` +
        "what it says is masked.",
      bad: { ...bad, source: source(bad.source), reason: MASKED, raw: MASKED }
    }

  type Link = Policy.Resolved["links"][number]
  const link = ({ by, deposits, reason, transfers }: Link): Link => ({
    deposits: [names.inKey(deposits[0]), ...deposits.slice(1).map(names.inKey)],
    transfers: [names.inKey(transfers[0]), ...transfers.slice(1).map(names.inKey)],
    ...(by === undefined ? {} : { by: names.inKey(by) }),
    ...(reason === undefined ? {} : { reason: names.inSentence(reason) })
  })

  return {
    learn,
    outcome: (outcome) => {
      learn(outcome)
      const say = told(outcome)
      return {
        ...outcome,
        deposits: outcome.deposits.map(entry),
        transfers: outcome.transfers.map(entry),
        ...badRecord(outcome, say),
        candidates: outcome.candidates.map((one) => ({ ...one, id: names.inKey(one.id), reason: say(one.reason) })),
        ...(outcome.rule === undefined ? {} : { rule: say(outcome.rule) }),
        ...(outcome.missing === undefined ? {} : { missing: coverage(outcome.missing) }),
        ...(outcome.pairs === undefined ? {} : {
          pairs: outcome.pairs.map((pair) => ({
            ...pair,
            deposit: names.inKey(pair.deposit),
            transfer: names.inKey(pair.transfer)
          }))
        })
      }
    },
    summary: (summary) => {
      const flows = summary.flows.map((flow) => ({ ...flow, from: account(flow.from), to: account(flow.to) }))
      const { exclude, forbid, links } = summary.policy
      const [first = "", ...more] = summary.accounts.master.map(account)
      const scope: Accounts.Accounts = {
        master: [first, ...more],
        list: Array.from({ length: summary.accounts.count }, () => MASKED),
        complete: summary.accounts.complete
      }
      const covered = summary.coverage.map(coverage)
      return {
        ...summary,
        // The sentence is made again, because a name that is a number cannot be told from other numbers in it.
        meaning: Report.meaning({ ...summary.policy, flows }, scope, covered),
        policy: {
          ...summary.policy,
          flows,
          exclude: exclude.map((one) =>
            Object.assign(
              {},
              one,
              { id: names.inKey(one.id) },
              one.reason === undefined ? {} : { reason: names.inSentence(one.reason) }
            )
          ),
          links: links.map(link),
          forbid: forbid.map(({ deposit, transfer }) => ({
            deposit: names.inKey(deposit),
            transfer: names.inKey(transfer)
          }))
        },
        flows,
        // A digest of names that can be guessed reveals them.
        accounts: { ...summary.accounts, master: [first, ...more], digest: MASKED },
        addresses: { ...summary.addresses, digest: MASKED },
        coverage: covered,
        unread: summary.unread.map(coverage),
        warnings: summary.warnings.map((warning) =>
          sentence(warning, Array.from(warning.matchAll(/"([^"]+)"/g), ([, id = ""]) => id))
        )
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
