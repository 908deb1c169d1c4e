/** What the console is asked, by people of each role and by programs. */
import { assert, describe, it } from "@effect/vitest"
import * as Candidates from "@tallystick/archive/Candidates"
import * as Decisions from "@tallystick/archive/Decisions"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Periods from "@tallystick/archive/Periods"
import * as Runs from "@tallystick/archive/Runs"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as BookDay from "../../archive/test/support/books.ts"
import * as Kept from "../../archive/test/support/decisions.ts"
import * as Days from "../../archive/test/support/periods.ts"
import { ConsoleApi } from "../src/ConsoleApi.ts"
import * as ConsoleClient from "../src/ConsoleClient.ts"
import * as ConsoleError from "../src/ConsoleError.ts"
import * as Access from "../src/internal/api/Access.ts"
import * as Asked from "./support/Asked.ts"
import * as Console from "./support/Console.ts"
import * as People from "./support/People.ts"

const endpoints = Object.values(ConsoleApi.groups).flatMap((group) =>
  Object.values(group.endpoints).map((endpoint) => ({ group: group.identifier, endpoint }))
)

type Someone = { readonly token: string; readonly user: { readonly name: string } }

const clientOf = (origin: string, { token, user: { name } }: Someone) =>
  ConsoleClient.ConsoleClient.layerLogin({ origin, name, token: Redacted.make(token) })

const as = <A, E, R>(origin: string, someone: Someone, effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, Layer.provide(clientOf(origin, someone), FetchHttpClient.layer))

const { ConsoleClient: Client } = ConsoleClient

describe("every endpoint", () => {
  it("that anybody can ask signs somebody in; each other one says which role it needs, a write more than to read", () => {
    const open = endpoints.filter(({ endpoint }) => !endpoint.middlewares.has(Access.SignedIn))
    assert.deepStrictEqual(open.map(({ endpoint }) => endpoint.path), ["/api/session/exchange", "/api/session"])
    for (const { endpoint } of endpoints.filter((one) => !open.includes(one))) {
      assert.isTrue(endpoint.annotations.mapUnsafe.has(Access.Needed.key), endpoint.path)
      const needed = Context.get(endpoint.annotations, Access.Needed)
      const isWrite = endpoint.method !== "GET" && endpoint.path !== "/api/session"
      assert.strictEqual(needed === "read", !isWrite, endpoint.path)
      assert.isTrue(endpoint.middlewares.has(Access.Answers))
    }
  })

  it.effect("answers nobody who is not signed in, and tells programs so in a type", () =>
    Effect.gen(function*() {
      const { local } = yield* Console.ofUsers()
      for (const { endpoint } of endpoints.filter(({ endpoint }) => endpoint.middlewares.has(Access.SignedIn))) {
        const path = endpoint.path.replaceAll(/:\w+/g, "1")
        const { status, text } = yield* Asked.asked(local, { method: endpoint.method, path })
        assert.strictEqual(status, 401, path)
        assert.include(text, "Unauthenticated")
      }
      const stranger = ConsoleClient.ConsoleClient.layerBearer({ origin: local, bearer: Redacted.make("x.y") })
      const error = yield* Client.use(({ status }) => Effect.flip(status.status())).pipe(
        Effect.provide(Layer.provide(stranger, FetchHttpClient.layer))
      )
      assert.instanceOf(error, ConsoleError.Unauthenticated)
    }).pipe(Effect.provide(Console.layer())))
})

const note = (words: string) => ({ kind: "note", entries: [{ side: "transfer", id: "t1" }], words }) as const

describe("a role", () => {
  const writes = [
    { path: "/api/decisions", body: { acts: [note("seen")] } },
    { path: "/api/decisions/each", body: { acts: [note("seen")] } },
    { path: "/api/decisions/undo", body: { decisions: [1], words: "no" } },
    { path: "/api/periods", body: { through: "2023-11-14" } },
    { path: "/api/periods/1/reopening", body: { reason: "other", words: "no" } }
  ]

  it.effect("that may only read writes nothing, and one that decides closes and approves nothing", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const { auditor, clerk, local } = yield* Console.ofUsers()
      const asAuditor = yield* People.signedIn(local, "auditor", auditor.token)
      const asClerk = yield* People.signedIn(local, "clerk", clerk.token)
      for (const write of writes) {
        const answer = yield* Asked.asked(local, { ...write, method: "POST", headers: asAuditor })
        assert.strictEqual(answer.status, 403, write.path)
        assert.strictEqual(Asked.body(answer)["reason"], "role")
      }
      const approval = { acts: [{ kind: "approve", decision: 1, words: "yes" }] }
      for (
        const write of [...writes.slice(3), { path: "/api/decisions", body: approval }, {
          path: "/api/decisions/each",
          body: approval
        }]
      ) {
        const answer = yield* Asked.asked(local, { ...write, method: "POST", headers: asClerk })
        assert.strictEqual(answer.status, 403, write.path)
      }
      assert.deepStrictEqual(yield* Decisions.Decisions.use(({ all }) => all), [])
      assert.deepStrictEqual(yield* Periods.Periods.use(({ closes }) => closes), [])
    }).pipe(Effect.provide(Console.layer())))

  it.effect("writes nothing in a console that only reads, and signs out there", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const { controller, local } = yield* Console.ofUsers({ readOnly: true })
      const headers = yield* People.signedIn(local, "controller", controller.token)
      for (const write of writes) {
        const answer = yield* Asked.asked(local, { ...write, method: "POST", headers })
        assert.strictEqual(answer.status, 403, write.path)
        assert.strictEqual(Asked.body(answer)["reason"], "read-only")
      }
      assert.isTrue(Asked.body(yield* Asked.asked(local, { headers }))["readOnly"])
      assert.strictEqual((yield* Asked.asked(local, { method: "DELETE", headers })).status, 204)
    }).pipe(Effect.provide(Console.layer())))
})

describe("a decision", () => {
  it.effect("bears the name of the session, whatever the request says", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const { clerk, local } = yield* Console.ofUsers()
      const headers = yield* People.signedIn(local, "clerk", clerk.token)
      const forged = { author: { by: "controller", identity: "token" }, by: "controller", identity: "os" }
      const decide = (body: unknown) => Asked.asked(local, { method: "POST", path: "/api/decisions", headers, body })
      assert.strictEqual((yield* decide({ acts: [note("seen")], ...forged })).status, 400)
      assert.strictEqual((yield* decide({ acts: [{ ...note("seen"), ...forged }] })).status, 400)
      assert.strictEqual((yield* decide({ acts: [note("seen")] })).status, 200)
      const all = yield* Decisions.Decisions.use(({ all }) => all)
      assert.deepStrictEqual(all.map(({ body: { by, identity } }) => ({ by, identity })), [
        { by: "clerk", identity: "token" }
      ])
    }).pipe(Effect.provide(Console.layer())))

  it.effect("is told as the ledger has it; a preview writes nothing, and a refusal says why", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const { clerk, origin } = yield* Console.ofUsers()
      yield* as(
        origin,
        clerk,
        Effect.gen(function*() {
          const { decisions } = yield* Client
          const link = yield* Kept.link("near", ["t1"])
          const preview = yield* decisions.decide({ payload: { acts: [link], preview: true } })
          assert.strictEqual(preview.decisions.length, 1)
          assert.deepStrictEqual((yield* decisions.decisions({ query: {} })).decisions, [])
          const made = yield* decisions.decide({ payload: { acts: [link] } })
          assert.deepStrictEqual(made.decisions, yield* Decisions.Decisions.use(({ all }) => all))
          const error = yield* Effect.flip(decisions.decide({
            payload: {
              acts: [note("first"), { kind: "forbid", deposit: link.deposits[0], transfer: "t1", ...Kept.why }]
            }
          }))
          assert.instanceOf(error, ConsoleError.DecisionRefused)
          assert.strictEqual(error.index, 1)
          assert.strictEqual(error.reason._tag, "Contradicted")
          const page = yield* decisions.decisions({ query: { limit: 1 } })
          assert.deepStrictEqual(page.decisions, made.decisions)
          assert.strictEqual(page.count, 1)
        })
      )
    }).pipe(Effect.provide(Console.layer())))

  it.effect("of many has a result each, and refuses what somebody else decided since the head was seen", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const { clerk, controller, origin } = yield* Console.ofUsers()
      const seen = yield* Decisions.Decisions.use(({ head }) => head)
      yield* as(
        origin,
        controller,
        Client.use(({ decisions }) => decisions.decide({ payload: { acts: [note("mine")] } }))
      )
      const { head, results } = yield* as(
        origin,
        clerk,
        Client.use(({ decisions }) =>
          decisions.decideEach({
            payload: {
              seen,
              acts: [
                { kind: "exclude", side: "transfer", id: "t2", ...Kept.why },
                { kind: "exclude", side: "transfer", id: "nowhere", ...Kept.why },
                { kind: "exclude", side: "transfer", id: "t1", ...Kept.why }
              ]
            }
          })
        )
      )
      assert.deepStrictEqual(
        results.map((result) => result._tag === "Refused" ? result.reason._tag : result.decision.body.kind),
        ["exclude", "UnknownEntry", "Outdated"]
      )
      assert.deepStrictEqual(head, yield* Decisions.Decisions.use(({ head }) => head))
    }).pipe(Effect.provide(Console.layer())))

  it.effect("is taken back by its own author only, each by itself", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const { clerk, controller, origin } = yield* Console.ofUsers()
      const numbersOf = (someone: typeof clerk) =>
        as(
          origin,
          someone,
          Client.use(({ decisions }) =>
            Effect.map(
              decisions.decide({ payload: { acts: [note("one"), note("two")] } }),
              (made) => made.decisions.map(({ body }) => body.number)
            )
          )
        )
      const [own = 0] = yield* numbersOf(clerk)
      const [other = 0] = yield* numbersOf(controller)
      const seen = yield* Decisions.Decisions.use(({ head }) => head)
      const { results } = yield* as(
        origin,
        clerk,
        Client.use(({ decisions }) =>
          decisions.undo({ payload: { decisions: [other, own, own, 999], words: "by mistake" } })
        )
      )
      assert.deepStrictEqual(results.map(({ _tag }) => _tag), ["Refused", "Decided", "Refused", "Refused"])
      const all = yield* Decisions.Decisions.use(({ all }) => all)
      assert.deepStrictEqual(
        all.flatMap(({ body, revokedBy }) => revokedBy === undefined ? [] : [body.number]),
        [own]
      )
      const again = yield* as(
        origin,
        clerk,
        Client.use(({ decisions }) => decisions.undo({ payload: { decisions: [own], words: "by mistake", seen } }))
      )
      assert.deepStrictEqual(again.results[0], results[1])
      assert.deepStrictEqual(yield* Decisions.Decisions.use(({ all }) => all), all)
    }).pipe(Effect.provide(Console.layer())))
})

describe("an entry", () => {
  it.effect("is found, told and compared with what might be linked with it, as the archive does it", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const { auditor, origin } = yield* Console.ofUsers()
      yield* as(
        origin,
        auditor,
        Effect.gen(function*() {
          const { entries } = yield* Client
          const found = yield* entries.find({ query: { name: "near" } })
          assert.deepStrictEqual(found.entries, yield* Decisions.Decisions.use(({ find }) => find("near")))
          const [params] = found.entries
          assert.isDefined(params)
          const story = yield* entries.story({ params })
          assert.deepStrictEqual(
            story,
            Option.getOrThrow(yield* OpenItems.OpenItems.use((items) => items.story(params)))
          )
          const near = yield* entries.candidates({ params, query: { limit: 5 } })
          const kept = yield* Candidates.Candidates.use((candidates) => candidates.near(params, { limit: 5 }))
          assert.deepStrictEqual(near, Option.getOrThrow(kept))
          assert.isNotEmpty(near.candidates)
          const compared = yield* entries.compare({ params, query: { with: ["t2", "nowhere"] } })
          assert.deepStrictEqual(compared.candidates.map(({ entry }) => entry.id), ["t2"])
          const nothing = { side: "deposit", id: "a/b?c=ü" } as const
          const noStory = yield* Effect.flip(entries.story({ params: nothing }))
          assert.instanceOf(noStory, ConsoleError.NotFound)
          const noCandidates = yield* Effect.flip(entries.candidates({ params: nothing, query: {} }))
          assert.instanceOf(noCandidates, ConsoleError.NotFound)
        })
      )
    }).pipe(Effect.provide(Console.layer())))
})

describe("a run", () => {
  it.effect("is told with its outcomes, page by page, as the archive keeps them", () =>
    Effect.gen(function*() {
      yield* Console.booked
      yield* BookDay.book(BookDay.options(BookDay.far))
      const { auditor, origin } = yield* Console.ofUsers()
      const kept = yield* Runs.Runs.use(({ list }) => list())
      yield* as(
        origin,
        auditor,
        Effect.gen(function*() {
          const { runs } = yield* Client
          const { runs: listed } = yield* runs.runs({ query: {} })
          assert.deepStrictEqual(listed.map(({ run }) => run), kept)
          const [first, second] = kept.map(({ id }) => id)
          assert.isDefined(first)
          assert.isDefined(second)
          const told = yield* runs.run({ params: { id: first.slice(0, 9) } })
          const recorded = Option.getOrThrow(yield* Runs.Runs.use(({ get }) => get(first)))
          assert.deepStrictEqual(told, { ...recorded, executions: listed[0]?.executions ?? [] })
          for (const id of [first, second]) {
            const { run } = yield* runs.run({ params: { id } })
            const all = yield* Runs.Runs.use((runs) => Stream.runCollect(runs.outcomes(run)))
            const pages: Array<unknown> = []
            let after: string | undefined
            do {
              const query = { limit: 1, ...after === undefined ? {} : { after } }
              const page: { readonly outcomes: ReadonlyArray<unknown>; readonly next?: string } = yield* runs
                .runOutcomes({
                  params: { id },
                  query
                })
              pages.push(...page.outcomes)
              after = page.next
            } while (after !== undefined)
            assert.deepStrictEqual(pages, all)
            const [one] = all
            assert.isDefined(one)
            const sighting = yield* runs.outcome({ params: { id: one.id } })
            assert.deepStrictEqual(
              sighting,
              Option.getOrThrow(yield* Runs.Runs.use(({ outcome }) => outcome(one.id)))
            )
          }
          assert.instanceOf(yield* Effect.flip(runs.run({ params: { id: "r0" } })), ConsoleError.NotFound)
          assert.instanceOf(yield* Effect.flip(runs.outcome({ params: { id: "zz/../z" } })), ConsoleError.NotFound)
          const apart = yield* Effect.flip(runs.diff({ params: { before: second, after: first } }))
          assert.instanceOf(apart, ConsoleError.Impossible)
          const same = yield* runs.diff({ params: { before: first, after: first } })
          assert.deepStrictEqual(same.differences, [])
        })
      )
    }).pipe(Effect.provide(Console.layer())))
})

describe("a period", () => {
  it.effect("is closed and reopened in the name of the session, and told as the ledger has it", () =>
    Effect.gen(function*() {
      yield* Kept.kept
      yield* Days.bookDay()
      const { controller, origin } = yield* Console.ofUsers()
      yield* as(
        origin,
        controller,
        Effect.gen(function*() {
          const { periods } = yield* Client
          assert.instanceOf(yield* Effect.flip(periods.period({ params: { number: 1 } })), ConsoleError.NotFound)
          const payload = { through: Days.THROUGH, from: Days.day.from }
          const refused = yield* Effect.flip(periods.close({ payload }))
          assert.instanceOf(refused, ConsoleError.PeriodRefused)
          assert.strictEqual(refused.reason._tag, "NotClosable")
          const { body } = yield* periods.close({ payload: { ...payload, carryOpen: true } })
          assert.deepStrictEqual([body.by, body.identity], ["controller", "token"])
          const { closes } = yield* periods.closes()
          assert.deepStrictEqual(closes, yield* Periods.Periods.use(({ closes }) => closes))
          assert.deepStrictEqual(closes.map(({ close }) => close), [body])
          const params = { number: body.number }
          const [kept] = yield* Periods.Periods.use(({ list }) => list())
          assert.deepStrictEqual(yield* periods.period({ params }), kept)
          const { entries } = yield* periods.carried({ params })
          assert.deepStrictEqual(entries, yield* Periods.Periods.use(({ carried }) => carried(body)))
          assert.isNotEmpty(entries)
          const reopened = yield* periods.reopen({ params, payload: { reason: "other", words: "a late deposit" } })
          assert.deepStrictEqual([reopened.body.close, reopened.body.by], [body.number, "controller"])
          const again = yield* Effect.flip(periods.reopen({ params, payload: { reason: "other", words: "again" } }))
          assert.instanceOf(again, ConsoleError.PeriodRefused)
        })
      )
    }).pipe(Effect.provide(Console.layer())))
})

describe("the description", () => {
  it.effect("is a page whose script and style stand in files, and which asks nobody else", () =>
    Effect.gen(function*() {
      const { local } = yield* Console.ofUsers()
      const page = yield* Asked.asked(local, { path: "/docs" })
      assert.strictEqual(page.status, 200)
      assert.match(String(page.headers["content-type"]), /^text\/html/)
      const scripts = [...page.text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes?.trim())
      assert.deepStrictEqual(scripts, ["id=\"swagger-spec\" type=\"application/json\"", "src=\"/docs/page.js\""])
      assert.notInclude(page.text, "<style")
      assert.notMatch(page.text, /(src|href)="https?:/)
      const script = yield* Asked.asked(local, { path: "/docs/page.js" })
      assert.include(script.text, "SwaggerUIBundle")
      assert.match(String(script.headers["content-type"]), /^text\/javascript/)
      assert.include((yield* Asked.asked(local, { path: "/docs/page.css" })).text, ".swagger-ui")
      const described = Asked.body(yield* Asked.asked(local, { path: "/openapi.json" }))
      const paths = Object.keys(Object(described["paths"]))
      const expected = new Set(endpoints.map(({ endpoint }) => endpoint.path.replaceAll(/:(\w+)/g, "{$1}")))
      assert.deepStrictEqual(new Set(paths), expected)
    }).pipe(Effect.provide(Console.layer())))
})
