/** Two people at once, a slow network, and a session that ends in the middle of work. */
import { assert, describe, it } from "@effect/vitest"
import * as Decisions from "@tallystick/archive/Decisions"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import * as Asked from "../test/support/Asked.ts"
import * as Console from "../test/support/Console.ts"
import { broken } from "./support/Breaks.ts"
import * as Browser from "./support/Browser.ts"
import { because, press, said, signIn, typeReason } from "./support/Hands.ts"

const written = Effect.map(
  Decisions.Decisions.use(({ all }) => all),
  (all) => all.map(({ body }) => ("words" in body ? body.words : ""))
)

const ITEMS = "/#/items?by=difference&asset=USDT"

/** A browser of its own in which somebody is signed in. */
const working = Effect.fnUntraced(function*(
  served: { readonly origin: string },
  name: string,
  { token }: { readonly token: string }
) {
  const { complaints, page } = yield* Browser.open(yield* Browser.launch, served, ITEMS)
  yield* Effect.promise(async () => {
    await signIn(page, name, token)
    await page.locator("[role=option].item").first().waitFor()
  })
  return { complaints, page }
})

/** Holds back the requests to an address until they are let go: the slowest network there is. */
const held = async (page: Page, path: RegExp) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    await promise
    await route.fallback()
  })
  return { letGo: resolve }
}

/** Where the parts of the screen are that must not jump. */
const places = (page: Page) =>
  page.locator(".frame, .filters, .bar, .said").evaluateAll((parts) =>
    parts.map((part) => {
      const { height, left, top } = part.getBoundingClientRect()
      return `${part.className} ${left} ${top} ${height}`
    })
  )

describe("two people at once", () => {
  it.live("see each other's decisions live, and what one decided on is refused to the other item by item", () =>
    Effect.gen(function*() {
      yield* broken(5)
      const { clerk, controller, ...served } = yield* Console.ofUsers()
      const one = yield* working(served, "clerk", clerk)
      const other = yield* working(served, "controller", controller)
      yield* Effect.promise(async () => {
        await press(one.page, "j", " ", "j", "j", "Shift+ ", "a")
        await one.page.getByRole("dialog", { name: "Accept 3 items" }).waitFor()
        await press(other.page, "j", "j", "a")
        await because(other.page, "known to the bank")
        await said(other.page, "Accepted 1 item.")
        // Behind the dialog the list says it at once; what the dialog is about was read before.
        await one.page.locator(".item", { hasText: "103.5" }).locator(".tag", { hasText: "decided" }).waitFor()
        await because(one.page, "the sweeper was down")
        await said(one.page, "Accepted 2 items; 1 item refused.")
        const refused = await one.page.getByRole("alert").innerText()
        assert.match(refused, /103\.5[^]*meanwhile decision \d+ accepts/)
        for (const amount of ["104.5", "102.5"]) {
          await other.page.locator(".item", { hasText: amount }).locator(".tag", { hasText: "decided" }).waitFor()
        }
      })
      assert.deepStrictEqual(yield* written, ["known to the bank", "the sweeper was down", "the sweeper was down"])
      assert.deepStrictEqual([...one.complaints, ...other.complaints], [])
    }).pipe(Effect.provide(Console.layer())))
})

describe("a slow network", () => {
  it.live("shows what is being read, lets nothing jump, and makes one decision of many keys", () =>
    Effect.gen(function*() {
      yield* broken(5)
      const { clerk, ...served } = yield* Console.ofUsers()
      const { complaints, page } = yield* working(served, "clerk", clerk)
      yield* Effect.promise(async () => {
        const items = await held(page, /\/api\/items\?/)
        await page.reload()
        await page.getByText("The items are being read.").waitFor()
        const before = await places(page)
        items.letGo()
        await page.locator("[role=option].item").first().waitFor()
        assert.deepStrictEqual(await places(page), before)

        const posts: Array<string> = []
        page.on("request", (request) => {
          if (request.method() === "POST") posts.push(new URL(request.url()).pathname)
        })
        const decisions = await held(page, /\/api\/decisions\/each$/)
        await press(page, "j", "a")
        await because(page, "the sweeper was down")
        await page.getByRole("button", { name: "It is being written" }).waitFor()
        await press(page, "Enter", "Enter")
        await page.getByRole("button", { name: "It is being written" }).click({ force: true })
        // Somebody leaves the dialog, asks the same again, and wants it at once.
        await press(page, "Escape", "a")
        await because(page, "the sweeper was down")
        await page.getByRole("button", { name: "It is being written" }).waitFor()
        decisions.letGo()
        await said(page, "Accepted 1 item.")
        assert.deepStrictEqual(posts, ["/api/decisions/each"])
      })
      assert.deepStrictEqual(yield* written, ["the sweeper was down"])
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))
})

/** Ends the session of a page behind its back. */
const ended = (page: Page, origin: string) =>
  Effect.gen(function*() {
    const bearer = yield* Effect.promise(() => page.evaluate(() => sessionStorage.getItem("tallystick.bearer")))
    yield* Asked.asked(origin, { method: "DELETE", headers: { authorization: `Bearer ${bearer}` } })
  })

describe("a session that ends in the middle of work", () => {
  it.live("leaves what was typed to the same person, and shows it to nobody else", () =>
    Effect.gen(function*() {
      yield* broken(5)
      const { auditor, clerk, ...served } = yield* Console.ofUsers()
      const { complaints, page } = yield* working(served, "clerk", clerk)
      const words = page.getByLabel("In your words")
      const again = page.getByRole("dialog", { name: "Sign in to Tallystick" })
      yield* Effect.promise(async () => {
        await press(page, "j", "a")
        await typeReason(page, "the sweeper was down")
      })
      yield* ended(page, served.origin)
      yield* Effect.promise(async () => {
        await again.getByText("Your session is over. Sign in again.").waitFor()
        // The screen is hidden, and no key leaves the question who it is.
        await press(page, ...Array.from({ length: 8 }, () => "Escape"))
        await again.waitFor()
        assert.strictEqual(await words.isVisible(), false)
        assert.notInclude(await page.locator("#page").innerText(), "104.5")
        assert.strictEqual(await page.getByLabel("Your name").inputValue(), "clerk")
      })
      assert.deepStrictEqual(yield* Browser.faults(page), [])
      yield* Effect.promise(async () => {
        await page.getByLabel("Your token").fill(clerk.token)
        await press(page, "Enter")
        await again.waitFor({ state: "detached" })
        assert.strictEqual(await words.inputValue(), "the sweeper was down")
        await words.press("Enter")
        await said(page, "Accepted 1 item.")
        await press(page, "a")
        await typeReason(page, "not for others")
      })
      yield* ended(page, served.origin)
      yield* Effect.promise(async () => {
        await again.waitFor()
        await signIn(page, "auditor", auditor.token)
        await again.waitFor({ state: "detached" })
        await page.locator("[role=option].item").first().waitFor()
        assert.strictEqual(await page.getByRole("dialog").count(), 0)
        assert.notInclude(await page.content(), "not for others")
      })
      assert.deepStrictEqual(yield* written, ["the sweeper was down"])
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))

  it.live("is told where it ended while something was written, and the second try writes it once", () =>
    Effect.gen(function*() {
      yield* broken(5)
      const { clerk, ...served } = yield* Console.ofUsers()
      const { page } = yield* working(served, "clerk", clerk)
      yield* Effect.promise(() => page.route(/\/api\/events/, () => {}))
      const decisions = yield* Effect.promise(async () => {
        const decisions = await held(page, /\/api\/decisions\/each$/)
        await press(page, "j", "a")
        await because(page, "the sweeper was down")
        await page.getByRole("button", { name: "It is being written" }).waitFor()
        return decisions
      })
      yield* ended(page, served.origin)
      yield* Effect.promise(async () => {
        decisions.letGo()
        await page.getByRole("dialog", { name: "Sign in to Tallystick" }).waitFor()
        await signIn(page, "clerk", clerk.token)
        await page.getByRole("dialog").getByText("Your session was over before all of it was written.").waitFor()
        await page.getByLabel("In your words").press("Enter")
        await said(page, "Accepted 1 item.")
      })
      assert.deepStrictEqual(yield* written, ["the sweeper was down"])
    }).pipe(Effect.provide(Console.layer())))
})
