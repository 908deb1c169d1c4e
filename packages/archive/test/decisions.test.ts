import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import type * as Decision from "../src/Decision.ts"
import * as Decisions from "../src/Decisions.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { at } from "./support/at.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const anna: Decision.Author = { by: "anna", identity: "os" }
const ben: Decision.Author = { by: "ben", identity: "claimed" }

/** A deposit that was moved ten minutes later but for a fee, and another deposit of another day. */
const kept = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  const slice = { from: NOW - 5 * DAY, to: NOW + 5 * DAY, bad: [] }
  const covered = (operation: Coverage.Coverage["operation"]): Coverage.Coverage => ({
    operation,
    from: slice.from,
    to: slice.to,
    readAt: NOW + 6 * DAY,
    state: "complete"
  })
  yield* archive.deposits.saveSlice({
    ...slice,
    records: [
      deposit({ txId: "near" }),
      deposit({ txId: "far", insertTime: NOW - 4 * DAY, amount: "9" }),
      deposit({ txId: "other", coin: "BTC", amount: "3" })
    ],
    coverage: [covered("deposits")]
  })
  yield* archive.transfers.saveSlice({
    ...slice,
    records: [
      transfer({ tranId: "t1", amount: "1.4", timestamp: NOW + 10 * MINUTE }),
      transfer({ tranId: "t2", amount: "9", timestamp: NOW + 20 * MINUTE })
    ],
    coverage: [covered("transfers")]
  })
})

const report = (policy = Policy.defaults) =>
  ArchiveReconciliation.run({
    range: { from: NOW - HOUR, to: NOW + HOUR },
    accounts: { list: ["a@x"], complete: true },
    policy
  })

const told = (
  { outcomes }: { readonly outcomes: ReadonlyArray<{ readonly code: string; readonly explanation: string }> }
) => outcomes.map(({ code }) => code).toSorted()

const idOf = (tx: string) =>
  Decisions.Decisions.use(({ find }) => Effect.map(find(tx), ([found]) => found?.id ?? "nothing"))

const decide = (acts: ReadonlyArray<Decision.Act>, options: Partial<Decisions.Options> = {}) =>
  Decisions.Decisions.use((decisions) => decisions.decide(acts, { author: anna, ...options }))

const why = { reason: "fee", words: "the sweeper paid 0.1" } as const

const link = Effect.fnUntraced(function*(tx: string, transfers: readonly [string, ...Array<string>]) {
  return { kind: "link", deposits: [yield* idOf(tx)], transfers, ...why } satisfies Decision.Act
})

/** Why a decision is refused. */
const refused = (acts: ReadonlyArray<Decision.Act>, options: Partial<Decisions.Options> = {}) =>
  Effect.map(
    Effect.flip(decide(acts, options)),
    (error) => error._tag === "DecisionError" ? `${error.index} ${error.reason._tag}: ${error.message}` : error.message
  )

describe.each(databases)("decisions, on $name", ({ layer }) => {
  const archive = Layer.mergeAll(Archive.Archive.layer, Decisions.Decisions.layer).pipe(Layer.provideMerge(layer))
  const test = <A, E>(
    body: Effect.Effect<A, E, Archive.Archive | Decisions.Decisions | Database>
  ) => Effect.andThen(kept, body).pipe(at(NOW + 7 * DAY), Effect.provide(archive))

  it.live("a link pairs what amounts and times would not, and tells who said so and why", () =>
    test(Effect.gen(function*() {
      assert.deepStrictEqual(told(yield* report()), [
        "missing-deposit",
        "missing-deposit",
        "missing-transfer",
        "missing-transfer"
      ])
      yield* decide([yield* link("near", ["t1"]), yield* link("far", ["t2"])])
      const after = yield* report()
      assert.deepStrictEqual(told(after), ["linked", "linked", "missing-transfer"])
      assert.include(
        after.outcomes.map(({ explanation }) => explanation).join("\n"),
        "linked by anna (the sweeper paid 0.1 (fee; decision 1))"
      )
      const { head } = yield* Decisions.Decisions
      assert.deepStrictEqual(after.decisions, { head: yield* head, applied: 2, faults: [] })
    })))

  it.live("an exclusion takes an entry out, and a note changes nothing", () =>
    test(Effect.gen(function*() {
      const before = yield* report()
      const id = yield* idOf("other")
      yield* decide([{ kind: "note", entries: [{ side: "deposit", id }], words: "asked the exchange" }])
      assert.deepStrictEqual((yield* report()).outcomes, before.outcomes)
      yield* decide([{ kind: "exclude", side: "deposit", id, reason: "test", words: "a test of ours" }])
      const { outcomes } = yield* report()
      const excluded = outcomes.find(({ code }) => code === "excluded")
      assert.include(excluded?.explanation ?? "", "is excluded by anna: a test of ours (test; decision 2)")
    })))

  it.live("a forbidden pair is not stated, and can be stated again once that was revoked", () =>
    test(Effect.gen(function*() {
      const policy = yield* Policy.make({ tolerance: { absolute: "0.2" } })
      const pair = Effect.map(report(policy), ({ outcomes }) => outcomes.some(({ code }) => code === "tolerant"))
      assert.isTrue(yield* pair)
      yield* decide([{ kind: "forbid", deposit: yield* idOf("near"), transfer: "t1", ...why }])
      assert.isFalse(yield* pair)
      yield* decide([{ kind: "revoke", decision: 1, words: "it was right" }], { author: ben })
      assert.isTrue(yield* pair)
      const { all } = yield* Decisions.Decisions
      assert.deepStrictEqual((yield* all).map(({ revokedBy }) => revokedBy), [2, undefined])
    })))

  it.live("a decision on a deposit that settled days later holds in the report of the day on which it settled", () =>
    Effect.gen(function*() {
      const { deposits, transfers } = yield* Archive.Archive
      const slice = { from: NOW - 5 * DAY, to: NOW + 6 * DAY, bad: [] }
      const read = (operation: Coverage.Coverage["operation"], readAt: number): Coverage.Coverage => ({
        operation,
        from: slice.from,
        to: slice.to,
        readAt,
        state: "complete"
      })
      for (const [status, readAt] of [[4, NOW + HOUR], [5, NOW + 4 * DAY], [5, NOW + 7 * DAY]] as const) {
        yield* deposits.saveSlice({
          ...slice,
          records: [deposit({ txId: "slow", status })],
          coverage: [read("deposits", readAt)]
        })
      }
      yield* transfers.saveSlice({
        ...slice,
        records: [transfer({ tranId: "t4", timestamp: NOW + 4 * DAY + 10 * MINUTE })],
        coverage: [read("transfers", NOW + 7 * DAY)]
      })
      const codes = Effect.map(
        ArchiveReconciliation.run({
          range: { from: NOW + 4 * DAY, to: NOW + 5 * DAY },
          accounts: { list: ["a@x"], complete: true }
        }),
        ({ decisions, outcomes }) => [...told({ outcomes }), decisions?.applied]
      )
      assert.deepStrictEqual(yield* codes, ["exact", undefined])
      yield* decide([{ kind: "exclude", side: "deposit", id: yield* idOf("slow"), reason: "test", words: "ours" }])
      assert.deepStrictEqual(yield* codes, ["missing-deposit", 1])
    }).pipe(at(NOW + 8 * DAY), Effect.provide(archive)))

  it.live("a link in the ledger wins over the policy's link to an entry of another week", () =>
    test(Effect.gen(function*() {
      const [near, far] = [yield* idOf("near"), yield* idOf("far")]
      yield* decide([{ kind: "link", deposits: [far], transfers: ["t2"], ...why }])
      const policy = yield* Policy.make({ links: [{ deposits: [near], transfers: ["t2"] }] })
      const { decisions, outcomes } = yield* ArchiveReconciliation.run({
        range: { from: NOW - 4 * DAY - HOUR, to: NOW - 4 * DAY + HOUR },
        accounts: { list: ["a@x"], complete: true },
        policy
      })
      assert.deepStrictEqual(decisions?.faults.map(({ of }) => of), ["policy"])
      assert.deepStrictEqual(outcomes.flatMap(({ deposits }) => deposits.map(({ id }) => id)), [far])
    })))

  it.live("a decision is not followed once the service told another content of its entry, or a linked entry failed", () =>
    test(Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      yield* decide([yield* link("near", ["t1"]), yield* link("far", ["t2"])])
      const seen = (record: ReturnType<typeof transfer>, readAt: number) =>
        transfers.savePage({ records: [record], bad: [], readAt })
      yield* seen(transfer({ tranId: "t1", amount: "7", timestamp: NOW + 10 * MINUTE }), NOW + 6 * DAY + 1)
      yield* seen(
        transfer({ tranId: "t2", amount: "9", timestamp: NOW + 20 * MINUTE, status: "FAILED" }),
        NOW + 6 * DAY + 2
      )
      const { clean, decisions, outcomes } = yield* report()
      assert.isFalse(clean)
      assert.isFalse(outcomes.some(({ code }) => code === "linked"))
      assert.deepStrictEqual(
        decisions?.faults.map(({ text }) => text.split("not followed: ")[1]),
        ["the service told another content of transfer \"t1\" since.", "transfer \"t2\" failed."]
      )
    })))

  it.live("a name that nobody checked is shown as claimed", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])], { author: ben })
      const { outcomes } = yield* report()
      assert.include(outcomes.map(({ explanation }) => explanation).join("\n"), "linked by ben (claimed) (the sweeper")
    })))

  it.live("finds both where a transfer has the name of a deposit's transaction", () =>
    test(Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      yield* transfers.savePage({ records: [transfer({ tranId: "near" })], bad: [], readAt: NOW + 6 * DAY + 1 })
      const { find } = yield* Decisions.Decisions
      assert.deepStrictEqual((yield* find("near")).map(({ side }) => side), ["deposit", "transfer"])
    })))

  it.live("only decisions on entries of the time that is read are laid over a policy", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      const { overlay } = yield* Archive.Archive
      const applied = (from: number, to: number) =>
        Effect.map(overlay(Policy.defaults, { from, to }), ({ applied }) => applied)
      assert.strictEqual(yield* applied(NOW, NOW + 1), 1)
      assert.strictEqual(yield* applied(NOW + 10 * MINUTE, NOW + 11 * MINUTE), 1)
      assert.strictEqual(yield* applied(NOW + HOUR, NOW + DAY), 0)
      assert.strictEqual(yield* applied(NOW - DAY, NOW), 0)
    })))

  it.live("what contradicts a decision that holds is refused, and nothing of what came with it is kept", () =>
    test(Effect.gen(function*() {
      const [near, far] = [yield* idOf("near"), yield* idOf("far")]
      yield* decide([yield* link("near", ["t1"])])
      const note = { kind: "note", entries: [{ side: "deposit", id: far }], words: "seen" } as const
      const says = `decision 1 links deposit "${near}" and transfer "t1"; revoke it before you decide otherwise`
      for (
        const act of [
          yield* link("near", ["t2"]),
          yield* link("far", ["t1"]),
          yield* link("near", ["t1"]),
          { kind: "forbid", deposit: near, transfer: "t1", ...why },
          { kind: "exclude", side: "transfer", id: "t1", ...why }
        ] satisfies ReadonlyArray<Decision.Act>
      ) {
        assert.strictEqual(yield* refused([note, act]), `1 Contradicted: ${says}`)
      }
      yield* decide([{ kind: "forbid", deposit: near, transfer: "t2", ...why }])
      const { all } = yield* Decisions.Decisions
      assert.deepStrictEqual((yield* all).map(({ body }) => body.kind), ["link", "forbid"])
      yield* decide([{ kind: "revoke", decision: 1, words: "wrong" }, yield* link("far", ["t1"])])
    })))

  it.live("an entry that is not there, twice there, or vanished cannot be decided on", () =>
    test(Effect.gen(function*() {
      assert.strictEqual(
        yield* refused([{ kind: "exclude", side: "transfer", id: "t9", ...why }]),
        "0 UnknownEntry: the archive keeps no transfer with the id t9"
      )
      assert.strictEqual(yield* refused([yield* link("near", ["t1", "t1"])]), "0 Repeated: transfer t1 is named twice")
      const { transfers } = yield* Archive.Archive
      yield* transfers.saveSlice({
        from: NOW,
        to: NOW + DAY,
        records: [],
        bad: [],
        coverage: [{ operation: "transfers", from: NOW, to: NOW + DAY, readAt: NOW + 7 * DAY, state: "complete" }]
      })
      assert.include(yield* refused([yield* link("near", ["t1"])]), "has vanished from the service")
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "asked the exchange" }])
    })))

  it.live("a decision whose entry vanished is not followed, says so, and keeps the books from being clean", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      const { transfers } = yield* Archive.Archive
      yield* transfers.saveSlice({
        from: NOW,
        to: NOW + DAY,
        records: [],
        bad: [],
        coverage: [{ operation: "transfers", from: NOW, to: NOW + DAY, readAt: NOW + 7 * DAY, state: "complete" }]
      })
      const { clean, decisions, warnings } = yield* report()
      const fault = `Decision 1 links deposit "${yield* idOf(
        "near"
      )}" and transfer "t1", and is not followed: transfer "t1" is gone.`
      assert.isFalse(clean)
      assert.deepStrictEqual(decisions?.faults.map(({ decision, of, text }) => ({ decision, of, text })), [
        { decision: 1, of: "decision", text: fault }
      ])
      assert.include(warnings, fault)
    })))

  it.live("others' decisions on the same entries since somebody looked are a conflict, their notes and revocations too", () =>
    test(Effect.gen(function*() {
      const near = yield* idOf("near")
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t2" }], words: "another one" }], {
        author: ben
      })
      yield* decide([{ kind: "note", entries: [{ side: "deposit", id: near }], words: "mine" }], { author: ben })
      const act = yield* link("near", ["t1"])
      assert.strictEqual(
        yield* refused([act], { seen: 1 }),
        `0 Outdated: meanwhile decision 2 is a note on deposit "${near}"; look at it, then decide again`
      )
      yield* decide([act, { kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "both" }], { seen: 2 })
      yield* decide([{ kind: "revoke", decision: 3, words: "no" }], { author: ben })
      assert.include(yield* refused([act], { seen: 4 }), "meanwhile decision 5 revokes decision 3")
      yield* decide([act], { seen: 5 })
    })))

  it.live("what is revoked cannot be revoked again, nor a revocation, nor what is not there", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      const revoke = (decision: number): Decision.Act => ({ kind: "revoke", decision, words: "wrong" })
      assert.include(yield* refused([revoke(1), revoke(1)]), "1 NotRevocable: decision 1 cannot be revoked")
      yield* decide([revoke(1)])
      assert.include(yield* refused([revoke(1)]), "decision 2 did so already")
      assert.include(yield* refused([revoke(2)]), "it is a revocation")
      assert.include(yield* refused([revoke(7)]), "the ledger has none of this number")
    })))

  it.live("an attempt says what would be decided, and decides nothing", () =>
    test(Effect.gen(function*() {
      const { all, attempt, head } = yield* Decisions.Decisions
      const acts = [yield* link("near", ["t1"])]
      const tried = yield* attempt(acts, { author: anna })
      assert.deepStrictEqual(yield* all, [])
      assert.strictEqual((yield* head).number, 0)
      assert.deepStrictEqual(yield* decide(acts), tried)
    })))

  it.live("a decision in the ledger wins over the policy's line, which the report names", () =>
    test(Effect.gen(function*() {
      const [near, far] = [yield* idOf("near"), yield* idOf("far")]
      const policy = yield* Policy.make({
        links: [{ deposits: [far], transfers: ["t1"] }],
        exclude: [{ id: near }],
        forbid: [{ deposit: near, transfer: "t1" }]
      })
      yield* decide([yield* link("near", ["t1"])])
      const { clean, decisions, outcomes, policy: followed } = yield* report(policy)
      assert.deepStrictEqual(followed.links.map(({ by }) => by), ["anna"])
      assert.deepStrictEqual(followed.forbid, [])
      assert.deepStrictEqual(followed.exclude, [{ side: "transfer", id: near }])
      assert.isFalse(clean)
      assert.isTrue(outcomes.some(({ code }) => code === "linked"))
      assert.deepStrictEqual(decisions?.faults.map(({ text }) => text.split(" of ")[0]), [
        "links[0]",
        "forbid[0]",
        "exclude[0]"
      ])
    })))

  describe("the chain", () => {
    const three = Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t2" }], words: "ünïcode 🙂 \"quoted\"" }])
      yield* decide([{ kind: "revoke", decision: 1, words: "wrong" }])
    })
    const fault = Archive.Archive.use(({ ledger }) => Effect.map(ledger(), ({ fault }) => fault))

    it.live("each id is the SHA-256 of the row's text, which holds the id before it: sha256sum tells it", () =>
      test(Effect.gen(function*() {
        yield* three
        const { sql } = yield* Database
        const rows = yield* sql<{ number: number; id: string; body: string }>`SELECT number, id, body FROM ledger
          ORDER BY number`
        let previous = "0".repeat(64)
        for (const { body, id, number } of rows) {
          assert.strictEqual(createHash("sha256").update(body, "utf8").digest("hex"), id)
          assert.include(body, `"number":${number},`)
          assert.include(body, `"previous":"${previous}"`)
          previous = id
        }
        const { head } = yield* Decisions.Decisions
        const { ledger } = yield* Archive.Archive
        assert.deepStrictEqual(yield* ledger(), { head: yield* head })
        assert.deepStrictEqual(yield* head, { number: 3, id: previous })
      })))

    it.live.each(
      [
        [
          "a body",
          "UPDATE ledger SET body = replace(body, 'the sweeper', 'nobody') WHERE number = 1",
          "row 1 of the ledger is not as it was written"
        ],
        ["a body with its id", "", "row 2 of the ledger does not follow row 1"],
        ["a row that is gone", "DELETE FROM ledger WHERE number = 2", "row 2 of the ledger is missing"],
        ["the first row, gone", "DELETE FROM ledger WHERE number = 1", "row 1 of the ledger is missing"],
        ["two rows, gone", "DELETE FROM ledger WHERE number < 3", "rows 1 to 2 of the ledger are missing"],
        [
          "a predecessor",
          "UPDATE ledger SET previous = 'none' WHERE number = 2",
          "row 2 of the ledger does not follow row 1"
        ],
        [
          "a row before the first one",
          "INSERT INTO ledger (number, id, previous, body) VALUES (0, 'x', 'y', '{}')",
          "row 0 of the ledger stands before the first one"
        ],
        [
          "a row far before the first one",
          "INSERT INTO ledger (number, id, previous, body) VALUES (-4, 'x', 'y', '{}')",
          "row -4 of the ledger stands before the first one"
        ]
      ] as const
    )(
      "an edit by SQL is found, and no report follows a decision then: %s",
      ([, edit, expected]) =>
        test(Effect.gen(function*() {
          yield* three
          yield* decide([yield* link("near", ["t1"])])
          const { sql } = yield* Database
          if (edit === "") {
            const [row] = yield* sql<{ body: string }>`SELECT body FROM ledger WHERE number = 1`
            const body = (row?.body ?? "").replace("anna", "otto")
            const id = createHash("sha256").update(body, "utf8").digest("hex")
            yield* sql`UPDATE ledger SET body = ${body}, id = ${id} WHERE number = 1`
          } else yield* sql.unsafe(edit)
          assert.strictEqual(yield* fault, expected)
          const { clean, decisions, outcomes } = yield* report()
          assert.isFalse(clean)
          assert.isFalse(outcomes.some(({ code }) => code === "linked"))
          assert.deepStrictEqual(decisions?.faults.map(({ text }) => text), [
            `No decision is followed, because the ledger is damaged: ${expected}.`
          ])
          assert.include(yield* refused([{ kind: "revoke", decision: 4, words: "no" }]), `is damaged: ${expected}`)
        }))
    )

    it.live("rows cut off the tail, or a chain written anew, show against a head that was kept elsewhere", () =>
      test(Effect.gen(function*() {
        yield* three
        const { head } = yield* Decisions.Decisions
        const { ledger } = yield* Archive.Archive
        const kept = yield* head
        const found = Effect.map(ledger(kept), ({ fault }) => fault)
        assert.isUndefined(yield* found)
        yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t2" }], words: "later" }])
        assert.isUndefined(yield* found)
        const { sql } = yield* Database
        yield* sql`DELETE FROM ledger WHERE number > 2`
        assert.isUndefined(yield* fault)
        assert.strictEqual(
          yield* found,
          "row 3 of the ledger is not the one that was kept elsewhere: the ledger ends before it"
        )
        yield* decide([{ kind: "revoke", decision: 1, words: "rightly" }])
        assert.isUndefined(yield* fault)
        assert.strictEqual(
          yield* found,
          "row 3 of the ledger is not the one that was kept elsewhere: the ledger was written anew"
        )
      })))
  })

  it.live("two who decide at once have numbers one after the other, and one of two contradicting decisions is refused", () =>
    test(Effect.gen(function*() {
      const acts = [yield* link("near", ["t1"]), yield* link("far", ["t1"])]
      const exits = yield* Effect.forEach(acts, (act) => Effect.exit(decide([act])), { concurrency: 2 })
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
      const notes = Array.from({ length: 8 }, (_, index): Decision.Act => ({
        kind: "note",
        entries: [{ side: "transfer", id: "t1" }],
        words: `note ${index}`
      }))
      yield* Effect.forEach(notes, (note) => decide([note]), { concurrency: "unbounded" })
      const { all } = yield* Decisions.Decisions
      const { ledger } = yield* Archive.Archive
      assert.deepStrictEqual((yield* all).map(({ body }) => body.number), [1, 2, 3, 4, 5, 6, 7, 8, 9])
      assert.isUndefined((yield* ledger()).fault)
    })))
})
