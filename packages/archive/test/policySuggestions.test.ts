/** What the policy could say so that links in the ledger would not have been needed. */
import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Suggestion from "@tallystick/reconcile/Suggestion"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Archive from "../src/Archive.ts"
import type * as Decision from "../src/Decision.ts"
import * as Decisions from "../src/Decisions.ts"
import * as PolicySuggestions from "../src/PolicySuggestions.ts"
import { at } from "./support/at.ts"
import { databases } from "./support/databases.ts"
import { archiveOn, auditor, DAY, decide, HOUR, idOf, link, MINUTE } from "./support/decisions.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const range = { from: NOW - HOUR, to: NOW + 9 * DAY }

/** A deposit of each day, and a transfer ten minutes later of what it is followed by. */
const kept = (days: ReadonlyArray<readonly [deposit: string, transfer: string, asset?: string]>) =>
  Effect.gen(function*() {
    const { deposits, transfers } = yield* Archive.Archive
    const slice = { from: NOW - 5 * DAY, to: NOW + 15 * DAY, bad: [] }
    const covered = (operation: Coverage.Coverage["operation"]): Coverage.Coverage => ({
      operation,
      from: slice.from,
      to: slice.to,
      readAt: NOW + 16 * DAY,
      state: "complete"
    })
    yield* deposits.saveSlice({
      ...slice,
      records: days.map(([amount], day) => deposit({ txId: `tx${day}`, amount, insertTime: NOW + day * DAY })),
      coverage: [covered("deposits")]
    })
    yield* transfers.saveSlice({
      ...slice,
      records: days.map(([, amount, asset = "USDT"], day) =>
        transfer({ tranId: `t${day}`, amount, asset, timestamp: NOW + day * DAY + 10 * MINUTE })
      ),
      coverage: [covered("transfers")]
    })
  })

const linked = (days: ReadonlyArray<number>) =>
  Effect.flatMap(Effect.forEach(days, (day) => link(`tx${day}`, [`t${day}`])), (acts) => decide(acts))

const suggested = (written: Policy.Policy = {}) =>
  Effect.gen(function*() {
    const policy = yield* Effect.fromResult(Policy.decode(written))
    return yield* PolicySuggestions.suggest({ range, accounts: { list: ["a@x"], complete: true }, policy })
  })

const named = ({ code, deposits }: Outcome.Outcome): string =>
  `${code} ${deposits.map(({ amount }) => amount).join(" ")}`

const told = ({ suggestions }: PolicySuggestions.Suggested) =>
  suggestions.map(({ backtest: { groups }, besides, suggestion, undone }) => ({
    line: suggestion.line,
    decisions: suggestion.links.map(({ decision }) => decision),
    changes: groups.map(({ after, before, count }) => `${count} ${before} -> ${after}`),
    besides: besides.map(named),
    undone: undone.map(named)
  }))

describe.each(databases)("suggestions from the ledger, on $name", (kind) => {
  const archive = archiveOn(kind)
  const test = <A, E>(
    days: Parameters<typeof kept>[0],
    body: Effect.Effect<A, E, Archive.Archive | Decisions.Decisions>
  ) => Effect.andThen(kept(days), body).pipe(at(NOW + 17 * DAY), Effect.provide(archive))

  it.live("a fee that three links share is told with what it would change, and with what else it would match", () =>
    test(
      [["10", "9.9"], ["20", "19.9"], ["30", "29.9"], ["40", "39.9"], ["50", "50"]],
      Effect.gen(function*() {
        yield* linked([0, 1, 2])
        const { head } = yield* Decisions.Decisions
        const before = yield* head
        const found = yield* suggested()
        assert.deepStrictEqual([found.links, found.pairs], [3, 3])
        assert.deepStrictEqual(told(found), [{
          line: { fees: [{ asset: "USDT", flat: "0.1" }] },
          decisions: [1, 2, 3],
          changes: ["6 linked -> fee", "1 missing-deposit -> fee", "1 missing-transfer -> fee"],
          besides: ["fee 40"],
          undone: []
        }])
        assert.deepStrictEqual(yield* head, before)
      })
    ))

  it.live("a link that was revoked does not count", () =>
    test(
      [["10", "9.9"], ["20", "19.9"], ["30", "29.9"]],
      Effect.gen(function*() {
        yield* linked([0, 1, 2])
        yield* decide([{ kind: "revoke", decision: 2, words: "a mistake" }])
        assert.deepStrictEqual(yield* suggested(), { links: 2, pairs: 2, suggestions: [], dropped: [] })
      })
    ))

  it.live("a link that the engine would not come to by itself is not covered, and the value is that of the others", () =>
    test(
      [["100", "99.9"], ["200", "200.2"], ["300", "300.07"], ["400", "399.81"], ["500", "499.6"]],
      Effect.gen(function*() {
        const { deposits } = yield* Archive.Archive
        // Within the tolerance that link 5 asks for, this deposit may be the one of the transfer as well.
        yield* deposits.saveSlice({
          from: NOW + 4 * DAY,
          to: NOW + 4 * DAY + HOUR,
          bad: [],
          records: [
            deposit({ txId: "tx4", amount: "500", insertTime: NOW + 4 * DAY }),
            deposit({ txId: "rival", amount: "499.8", insertTime: NOW + 4 * DAY + MINUTE })
          ],
          coverage: []
        })
        yield* linked([0, 1, 2, 3, 4])
        const found = yield* suggested()
        const [one, ...others] = told(found)
        assert.deepStrictEqual([others, found.dropped], [[], []])
        assert.deepStrictEqual(one?.line, { per: [{ asset: "USDT", tolerance: { absolute: "0.2" } }] })
        assert.deepStrictEqual(one?.decisions, [1, 2, 3, 4])
      })
    ))

  it.live("links that share a fee of which the engine would match two alone are told, and are no suggestion", () =>
    test(
      [["10", "9.9"], ["20", "19.9"], ["30", "29.9"], ["50", "50"]],
      Effect.gen(function*() {
        const { deposits } = yield* Archive.Archive
        // With the fee, this deposit may be the one of the first transfer as well.
        yield* deposits.saveSlice({
          from: NOW,
          to: NOW + HOUR,
          bad: [],
          records: [
            deposit({ txId: "tx0", amount: "10", insertTime: NOW }),
            deposit({ txId: "rival", amount: "10", insertTime: NOW + MINUTE })
          ],
          coverage: []
        })
        yield* linked([0, 1, 2])
        const { dropped, suggestions } = yield* suggested()
        assert.deepStrictEqual(suggestions, [])
        assert.deepStrictEqual(
          dropped.map(({ suggestion: { links, shape }, unmatched }) => [shape, links.length, unmatched]),
          [[{ code: "fee", asset: "USDT", flat: "0.1" }, 3, 1]]
        )
      })
    ))

  it.live("a match that it would undo is told too: with a fee, its transfer may belong to another deposit as well", () =>
    test(
      [["10", "9.9"], ["20", "19.9"], ["30", "29.9"], ["50", "50"]],
      Effect.gen(function*() {
        const { deposits } = yield* Archive.Archive
        yield* deposits.saveSlice({
          from: NOW + 3 * DAY,
          to: NOW + 3 * DAY + HOUR,
          bad: [],
          records: [
            deposit({ txId: "tx3", amount: "50", insertTime: NOW + 3 * DAY }),
            deposit({ txId: "rival", amount: "50.1", insertTime: NOW + 3 * DAY + MINUTE })
          ],
          coverage: []
        })
        yield* linked([0, 1, 2])
        const [one] = told(yield* suggested())
        assert.deepStrictEqual(one?.undone, ["exact 50"])
      })
    ))

  it.live("two fees of one asset come out, each tried alone, and one policy with both that says which link it still needs", () =>
    test(
      [["10", "9.9"], ["20", "19.9"], ["30", "29.9"], ["40", "39.8"], ["50", "49.8"], ["60", "59.8"]],
      Effect.gen(function*() {
        const { deposits } = yield* Archive.Archive
        // With the second fee, this deposit may be the one of the first transfer as well.
        yield* deposits.saveSlice({
          from: NOW,
          to: NOW + HOUR,
          bad: [],
          records: [
            deposit({ txId: "tx0", amount: "10", insertTime: NOW }),
            deposit({ txId: "rival", amount: "10.1", insertTime: NOW + MINUTE })
          ],
          coverage: []
        })
        yield* linked([0, 1, 2, 3, 4, 5])
        const { suggestions, together } = yield* suggested()
        assert.deepStrictEqual(
          suggestions.map((
            { backtest, suggestion: { line, links } }
          ) => [line, links.length, backtest.entries.changed]),
          [
            [{ fees: [{ asset: "USDT", flat: "0.1" }] }, 3, 6],
            [{ fees: [{ asset: "USDT", flat: "0.2" }] }, 3, 6]
          ]
        )
        const { backtest, besides, needed, suggestion: { line, links, policy }, undone } = together ??
          assert.fail("nothing was tried together")
        assert.deepStrictEqual(line, { fees: [{ asset: "USDT", flat: "0.1" }, { asset: "USDT", flat: "0.2" }] })
        assert.deepStrictEqual(Policy.decode(line), Result.succeed(policy))
        assert.deepStrictEqual([links, needed].map((some) => some.map(({ decision }) => decision)), [
          [2, 3, 4, 5, 6],
          [1]
        ])
        assert.deepStrictEqual([backtest.entries.changed, besides, undone], [10, [], []])
      })
    ))

  it.live("of two links of which each is matched while the other holds, the one of the first suggestion is not needed", () =>
    test(
      [["10", "9.9"], ["20", "19.9"], ["30", "29.9"]],
      Effect.gen(function*() {
        const { deposits, transfers } = yield* Archive.Archive
        const rivals = ["10.1", "20.1", "30.1"].map((amount, day) =>
          deposit({ txId: `rival${day}`, amount, insertTime: NOW + day * DAY + MINUTE })
        )
        const others = ["9.9", "19.9", "29.9"].map((amount, day) =>
          transfer({ tranId: `u${day}`, amount, asset: "USDT", timestamp: NOW + day * DAY + 11 * MINUTE })
        )
        const slice = { from: NOW, to: NOW + 3 * DAY, bad: [], coverage: [] }
        const [keptDeposits, keptTransfers] = [
          ["10", "20", "30"].map((amount, day) => deposit({ txId: `tx${day}`, amount, insertTime: NOW + day * DAY })),
          ["9.9", "19.9", "29.9"].map((amount, day) =>
            transfer({ tranId: `t${day}`, amount, asset: "USDT", timestamp: NOW + day * DAY + 10 * MINUTE })
          )
        ]
        yield* deposits.saveSlice({ ...slice, records: [...keptDeposits, ...rivals] })
        yield* transfers.saveSlice({ ...slice, records: [...keptTransfers, ...others] })
        yield* linked([0, 1, 2])
        yield* decide(yield* Effect.forEach([0, 1, 2], (day) => link(`rival${day}`, [`u${day}`])))
        const { suggestions, together } = yield* suggested()
        const numbers = (links: ReadonlyArray<Suggestion.Link>) => links.map(({ decision }) => decision)
        assert.deepStrictEqual(suggestions.map(({ suggestion }) => numbers(suggestion.links)), [[1, 2, 3], [4, 5, 6]])
        const { backtest, needed, suggestion } = together ?? assert.fail("nothing was tried together")
        assert.deepStrictEqual([suggestion.links, needed].map(numbers), [[1, 2, 3], [4, 5, 6]])
        assert.deepStrictEqual(backtest.groups.map(({ after, before, count }) => `${count} ${before} -> ${after}`), [
          "6 linked -> fee"
        ])
      })
    ))

  it.live("a link that is only proposed does not count, until somebody approves it", () =>
    test(
      [["10", "9.9"], ["20", "19.9"], ["30", "29.9"]],
      Effect.gen(function*() {
        yield* decide([{ kind: "setting", approvals: true, authors: "any", words: "two people decide" }])
        yield* linked([0, 1, 2])
        assert.deepStrictEqual(yield* suggested(), { links: 0, pairs: 0, suggestions: [], dropped: [] })
        yield* decide([2, 3, 4].map((decision) => ({ kind: "approve", decision })), { author: auditor })
        const found = yield* suggested()
        assert.deepStrictEqual([found.links, told(found)[0]?.changes], [3, ["6 linked -> fee"]])
      })
    ))

  it.live("links across two assets, which are not followed, ask for an alias", () =>
    test(
      [["10", "10", "USDT-TRX"], ["20", "20", "USDT-TRX"], ["30", "30", "USDT-TRX"]],
      Effect.gen(function*() {
        yield* linked([0, 1, 2])
        const [one] = told(yield* suggested())
        assert.deepStrictEqual(one?.line, { assets: { aliases: [["USDT", "USDT-TRX"]] } })
        assert.deepStrictEqual(one?.besides, [])
      })
    ))

  it.live("a link of several deposits is left alone", () =>
    test(
      [["10", "9.9"], ["20", "19.9"], ["30", "29.9"], ["40", "39.9"]],
      Effect.gen(function*() {
        yield* linked([0, 1])
        const many: Decision.Act = {
          kind: "link",
          deposits: [yield* idOf("tx2"), yield* idOf("tx3")],
          transfers: ["t2"],
          reason: "fee",
          words: "together"
        }
        yield* decide([many])
        assert.deepStrictEqual(yield* suggested(), { links: 3, pairs: 2, suggestions: [], dropped: [] })
      })
    ))
})
