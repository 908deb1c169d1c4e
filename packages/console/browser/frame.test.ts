/** The frame of the page: how somebody gets in and out, and how the page stands a console that is gone. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Page } from "playwright-core"
import * as Kept from "../../archive/test/support/decisions.ts"
import * as ConsoleServer from "../src/ConsoleServer.ts"
import * as Console from "../test/support/Console.ts"
import * as People from "../test/support/People.ts"
import * as Browser from "./support/Browser.ts"
import { signIn } from "./support/Hands.ts"

const EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u202etxt.exe\u2028{{7*7}}"
const EVIL_SHOWN = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&txt.exe {{7*7}}"

const title = (page: Page) => page.getByRole("heading", { name: "Sign in to Tallystick" })

describe("the page", () => {
  it.live("lets somebody in by the printed address, once, and keeps its token nowhere", () =>
    Effect.gen(function*() {
      const served = yield* Console.atDesk()
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.openPrinted(browser, served)
      yield* Effect.promise(async () => {
        assert.strictEqual(new URL(page.url()).hash, "")
        await page.getByText("Closed through").waitFor()
        await page.reload()
        await page.getByText("Closed through").waitFor()
        await page.getByRole("button", { name: "Sign out" }).click()
        await title(page).waitFor()
        assert.strictEqual(await page.evaluate(() => sessionStorage.length + localStorage.length), 0)
      })
      assert.deepStrictEqual(complaints, [])
      const second = yield* Browser.open(browser, served, Browser.printed(served))
      yield* Effect.promise(() => second.page.getByRole("alert").filter({ hasText: "was opened before" }).waitFor())
    }).pipe(Effect.provide(Console.layer())))

  it.live("lets people in by name and token, tells why not, and offers each what the role allows", () =>
    Effect.gen(function*() {
      yield* Console.booked
      yield* Kept.decide([{ kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "seen" }])
      const { auditor, clerk, ...served } = yield* Console.ofUsers()
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.open(browser, served, "/#/decisions")
      yield* Effect.promise(async () => {
        await signIn(page, "auditor", clerk.token)
        await page.getByText("No person of this name has this token.").waitFor()
        await signIn(page, "auditor", auditor.token)
        await page.getByRole("article", { name: "Decision 2" }).waitFor()
        // A row that was changed since is found by a check of the archive, not by the page.
        await page.getByText("Each row was checked when this console first read it.").waitFor()
        assert.strictEqual(await page.getByText("whole").count(), 0)
        assert.strictEqual(await page.getByRole("button", { name: "Take back" }).count(), 0)
        await page.getByRole("button", { name: "Sign out" }).click()
        await signIn(page, "clerk", clerk.token)
        await page.getByRole("article", { name: "Decision 2" }).getByRole("button", { name: "Take back" }).click()
        await page.getByLabel("Why is it taken back?").fill("it was another one")
        await page.keyboard.press("Enter")
        await page.getByText("Decision 3 is in the ledger.").waitFor()
        await page.getByRole("article", { name: "Decision 2" }).getByText("taken back by 3").waitFor()
      })
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))

  it.live("says that the console is gone, sees that it is back, and that the session ended with it", () =>
    Effect.gen(function*() {
      const people = yield* People.made
      const scope = yield* Scope.make()
      const options = { people: { _tag: "Users", file: people.file } } as const
      const served = yield* Scope.provide(ConsoleServer.serve(options), scope)
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.open(browser, served, "/#/decisions?kind=link")
      yield* Effect.promise(async () => {
        await signIn(page, "clerk", people.clerk.token)
        await page.getByText("No decision is so.").waitFor()
      })
      yield* Scope.close(scope, Exit.void)
      yield* Effect.promise(() => page.getByText("The console does not answer.").first().waitFor())
      yield* ConsoleServer.serve({ ...options, port: Number(new URL(served.local).port) })
      yield* Effect.promise(async () => {
        await page.getByText("Your session is over. Sign in again.").waitFor()
        await signIn(page, "clerk", people.clerk.token)
        await page.getByText("No decision is so.").waitFor()
        assert.include(page.url(), "kind=link")
      })
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))

  it.live("shows at once what another person decides, and does nothing with hostile text but show it", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const served = yield* Console.atDesk()
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.openPrinted(browser, served, "decisions")
      yield* Effect.promise(() => page.getByText("Nobody decided anything yet.").waitFor())
      yield* Kept.decide([{ kind: "note", entries: [{ side: "transfer", id: "t1" }], words: EVIL }], {
        author: { by: EVIL.slice(0, 60), identity: "claimed" }
      })
      yield* Effect.promise(async () => {
        await page.getByRole("article", { name: "Decision 2" }).waitFor()
        const text = await page.locator("#page").innerText()
        assert.include(text, EVIL_SHOWN)
        assert.notMatch(text, /[\u202a-\u202e\u2028]/)
        assert.strictEqual(await page.locator("img").count(), 0)
      })
      assert.deepStrictEqual(complaints, [])
      assert.deepStrictEqual(yield* Browser.faults(page), [])
      yield* Effect.promise(async () => {
        await page.goto(`${served.origin}/#/overview`)
        await page.getByText("Closed through").waitFor()
        await page.getByText("4 breaks").waitFor()
        assert.deepStrictEqual(
          await page.getByRole("region", { name: "Breaks by age" }).getByRole("row").last().getByRole("cell")
            .allTextContents(),
          ["4", "–", "4"]
        )
      })
      assert.deepStrictEqual(yield* Browser.faults(page), [])
      yield* Effect.promise(async () => {
        await page.getByRole("button", { name: "Sign out" }).click()
        await title(page).waitFor()
      })
      assert.deepStrictEqual(yield* Browser.faults(page), [])
    }).pipe(Effect.provide(Console.layer())))
})
