/** Items by keyboard alone: each key, many at once, and back again. */
import { assert, describe, it } from "@effect/vitest"
import * as Decisions from "@tallystick/archive/Decisions"
import * as Effect from "effect/Effect"
import type { Request } from "playwright-core"
import * as Kept from "../../archive/test/support/decisions.ts"
import * as Console from "../test/support/Console.ts"
import { broken } from "./support/Breaks.ts"
import * as Browser from "./support/Browser.ts"
import { because, press, said, signIn, typeReason } from "./support/Hands.ts"

const EVIL = "</b><img src=x onerror=alert(2)>\"'&\u202etxt"

const decisions = Effect.map(Decisions.Decisions.use(({ all }) => all), (all) => all.map(({ body }) => body))

/** The console of a desk in a browser. */
const opened = Effect.fnUntraced(function*(at = "items?by=difference") {
  const served = yield* Console.atDesk()
  return yield* Browser.openPrinted(yield* Browser.launch, served, at)
})

describe("items", () => {
  it.live("are walked, accepted, excluded, noted, linked, kept apart and taken back by keys alone", () =>
    Effect.gen(function*() {
      yield* broken(5)
      const { complaints, page } = yield* opened()
      yield* Effect.promise(async () => {
        await page.locator("[role=option].item").first().waitFor()
        await press(page, "j", "Enter")
        await page.getByRole("region", { name: "The item" }).getByText("Might belong to the deposit").waitFor()
        assert.include(await page.locator(".item.active").innerText(), "104.5")
        await press(page, "a")
        await because(page, "the sweeper was down")
        await said(page, "Accepted 1 item.")
        assert.include(await page.locator(".item.active").innerText(), "103.5")
        await press(page, "x")
        await because(page, "a test of ours")
        await said(page, "Excluded 1 item.")
        await press(page, "n")
        await page.getByRole("dialog").waitFor()
        await page.keyboard.type("asked the exchange")
        await press(page, "Enter")
        await said(page, "Noted on 1 item.")
        await press(page, "Escape", "/")
        await page.keyboard.type("1.5")
        await press(page, "Enter")
        await page.getByText(/^1 item$/).waitFor()
        await page.locator("[role=option].item").first().waitFor()
        await press(page, "j", "l")
        await page.getByRole("dialog").getByText("Choose one or several.").waitFor()
        await press(page, "Space")
        await page.getByText("Left: 0.1 USDT").waitFor()
        await page.getByLabel("In your words").focus()
        await page.keyboard.type("the fee of the sweeper")
        await press(page, "Enter")
        await said(page, "Linked 1 item.")
        await press(page, "u")
        await page.getByRole("dialog").getByText("Linked 1 item").waitFor()
        await press(page, "Enter")
        await said(page, "Took back 1 decision.")
        await press(page, "f")
        await page.getByRole("dialog").getByRole("checkbox").first().waitFor()
        await press(page, "Space")
        await page.getByLabel("In your words").focus()
        await page.keyboard.type("another one")
        await press(page, "Enter")
        await said(page, "Kept apart 1 item.")
        await press(page, "?")
        await page.getByRole("dialog", { name: "Keys" }).waitFor()
        await press(page, "Escape")
      })
      assert.deepStrictEqual((yield* decisions).map(({ kind }) => kind), [
        "accept",
        "exclude",
        "note",
        "link",
        "revoke",
        "forbid"
      ])
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))

  it.live("are decided many at once, by range or by filter, with a result each, and taken back item by item", () =>
    Effect.gen(function*() {
      yield* broken(60)
      const { complaints, page } = yield* opened("items?by=difference&asset=USDT")
      yield* Effect.promise(async () => {
        await page.getByText("63 items").waitFor()
        await page.locator("[role=option].item").first().waitFor()
        await press(page, "j", " ", "j", "j", "j", "Shift+ ")
        await page.getByText("63 items, 4 chosen").waitFor()
        await press(page, "a")
        await because(page, "the sweeper was down")
        await said(page, "Accepted 4 items.")
        assert.include(await page.locator(".item.active").innerText(), "155.5")
        await press(page, "u")
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("checkbox", { name: /159.5/ }).uncheck()
        await dialog.getByRole("checkbox", { name: /157.5/ }).uncheck()
        await dialog.getByRole("button", { name: "Take back 2 decisions" }).click()
        await said(page, "Took back 2 decisions.")
        await page.getByLabel("Decided").selectOption("none")
        await page.getByText("61 items").waitFor()
        await page.reload()
        await page.getByText("61 items").waitFor()
        assert.include(page.url(), "decided=none")
      })
      // Somebody else is first with one of them, after the page has read it and before it can hear of that.
      yield* Effect.promise(async () => {
        await page.getByRole("button", { name: "Accept all of the filter" }).click()
        await page.getByRole("dialog", { name: "Accept 61 items" }).waitFor()
      })
      const [found] = yield* Decisions.Decisions.use(({ find }) => find("break0"))
      yield* Kept.decide([{ kind: "exclude", side: "deposit", id: found?.id ?? "", reason: "test", words: "mine" }], {
        author: Kept.auditor
      })
      yield* Effect.promise(async () => {
        await because(page, "the sweeper was down")
        await said(page, "Accepted 60 items; 1 item refused.")
        const refused = await page.getByRole("alert").innerText()
        assert.match(refused, /meanwhile decision \d+ excludes deposit/)
      })
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))

  it.live("are asked about anew by the very next key after a dialog was left", () =>
    Effect.gen(function*() {
      yield* broken(1)
      const { complaints, page } = yield* opened()
      yield* Effect.promise(async () => {
        await page.locator("[role=option].item").first().waitFor()
        await press(page, "j")
        for (const [key, name] of [["a", "Accept 1 item"], ["?", "Keys"]] as const) {
          const dialog = page.getByRole("dialog", { name })
          await press(page, key)
          await dialog.waitFor()
          if (key === "a") await typeReason(page, "of the question that was left")
          // As Escape and a key in one frame: until the next one the focus stays where it was, and nothing tells that the dialog is closed.
          await page.evaluate((key) => {
            const left = document.querySelector("dialog")
            const told = new Promise((resolve) => left?.addEventListener("close", resolve))
            left?.close()
            document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
            return told
          }, key)
          assert.strictEqual(await dialog.count(), 1)
          if (key === "a") assert.strictEqual(await page.getByLabel("In your words").inputValue(), "")
          await press(page, "Escape")
          await dialog.waitFor({ state: "detached" })
        }
      })
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))

  it.live("are searched by the very next key after one was opened", () =>
    Effect.gen(function*() {
      yield* broken(1)
      const { complaints, page } = yield* opened()
      yield* Effect.promise(async () => {
        await page.locator("[role=option].item").first().waitFor()
        await press(page, "j")
        // Both keys in one frame, and then the frames in which a focus could still move.
        await page.evaluate(() => {
          for (const key of ["Enter", "/"]) {
            document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
          }
          return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        })
        await page.getByRole("region", { name: "The item" }).waitFor()
        await page.keyboard.type("100.5")
        assert.strictEqual(await page.getByLabel(/^Search/).inputValue(), "100.5")
      })
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))

  it.live("of a filter are not asked about where something else was asked while they were read", () =>
    Effect.gen(function*() {
      yield* broken(210)
      const { complaints, page } = yield* opened()
      yield* Effect.promise(async () => {
        await page.locator("[role=option].item").first().waitFor()
        await press(page, "j")
        const { promise: released, resolve: release } = Promise.withResolvers<void>()
        await page.route(/\/api\/items\?.*limit=1000/, async (route) => {
          await released
          await route.continue()
        })
        const all = page.getByRole("button", { name: "Accept all of the filter" })
        await all.click()
        await said(page, "All items of the filter are being read.")
        const isReading = (request: Request): boolean => request.url().includes("limit=1000")
        const over = Promise.race([
          page.waitForEvent("requestfailed", isReading),
          page.waitForEvent("requestfinished", isReading)
        ])
        await press(page, "n")
        const dialog = page.getByRole("dialog", { name: "Note on 1 item" })
        await dialog.waitFor()
        await page.keyboard.type("asked the exchange")
        release()
        await over
        await press(page, "Enter")
        await said(page, "Noted on 1 item.")
      })
      assert.deepStrictEqual((yield* decisions).map(({ kind }) => kind), ["note"])
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))

  it.live("are decided by nobody who may only read", () =>
    Effect.gen(function*() {
      yield* broken(1)
      const { auditor, ...served } = yield* Console.ofUsers()
      const browser = yield* Browser.launch
      const { page } = yield* Browser.open(browser, served, "/#/items")
      yield* Effect.promise(async () => {
        await signIn(page, "auditor", auditor.token)
        await page.locator("[role=option].item").first().waitFor()
        await press(page, "j", "a")
        assert.strictEqual(await page.getByRole("dialog").count(), 0)
        assert.strictEqual(await page.getByRole("button", { name: "Accept" }).count(), 0)
      })
    }).pipe(Effect.provide(Console.layer())))

  it.live("show hostile text as text, and break no rule of accessibility, in both schemes at three widths", () =>
    Effect.gen(function*() {
      yield* broken(3, EVIL)
      const { complaints, page } = yield* opened()
      yield* Effect.promise(async () => {
        await page.locator("[role=option].item").first().waitFor()
        await press(page, "j", "n")
        await page.getByRole("dialog").waitFor()
        await page.keyboard.type(EVIL)
        await press(page, "Enter")
        await said(page, "Noted on 1 item.")
        await press(page, "Enter")
        await page.getByRole("region", { name: "The item" }).getByText(/clerk noted it/).waitFor()
        assert.notMatch(await page.locator("#page").innerText(), /[\u202a-\u202e\u2028]/)
        assert.strictEqual(await page.locator("img").count(), 0)
      })
      assert.deepStrictEqual(yield* Browser.faults(page), [])
      yield* Effect.promise(async () => {
        await page.setViewportSize({ width: 1400, height: 900 })
        await press(page, "l")
        await page.getByRole("dialog").getByText("Choose one or several.").waitFor()
      })
      assert.deepStrictEqual(yield* Browser.faults(page), [])
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))
})
