/** The console behind a proxy that speaks TLS: a browser keeps the session in a cookie that no script reads and no other site sends. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Kept from "../../archive/test/support/decisions.ts"
import * as ConsoleServer from "../src/ConsoleServer.ts"
import * as Console from "../test/support/Console.ts"
import * as People from "../test/support/People.ts"
import * as Browser from "./support/Browser.ts"
import { because, press, said, signIn } from "./support/Hands.ts"
import * as Proxy from "./support/Proxy.ts"

describe("a console behind a proxy", () => {
  it.live("keeps the session in a cookie of this host alone, writes with it, and hears news through the proxy", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const people = yield* People.made
      const proxy = yield* Proxy.make
      const served = yield* ConsoleServer.serve({
        people: { _tag: "Users", file: people.file, publicOrigin: proxy.origin }
      })
      proxy.leadTo(served.local)
      assert.strictEqual(served.origin, proxy.origin)
      const browser = yield* Browser.launchTrusting
      const { complaints, page } = yield* Browser.open(browser, served, "/#/items?by=difference")
      yield* Effect.promise(async () => {
        await signIn(page, "clerk", people.clerk.token)
        await page.locator("[role=option].item").first().waitFor()
        const cookies = await browser.context.cookies()
        assert.deepStrictEqual(
          cookies.map(({ domain, expires, httpOnly, name, path, sameSite, secure }) => ({
            domain,
            expires,
            httpOnly,
            name,
            path,
            sameSite,
            secure
          })),
          [{
            domain: "localhost",
            expires: -1,
            httpOnly: true,
            name: "__Host-tallystick",
            path: "/",
            sameSite: "Strict",
            secure: true
          }]
        )
        const readable = await page.evaluate(() => [document.cookie, sessionStorage.length])
        assert.deepStrictEqual(readable, ["", 0])
        await page.reload()
        await page.locator("[role=option].item").first().waitFor()
        await press(page, "j", "a")
        await because(page, "the sweeper was down")
        await said(page, "Accepted 1 item.")
        await page.goto(`${served.origin}/#/decisions`)
        await page.getByRole("article", { name: "Decision 2" }).waitFor()
      })
      yield* Kept.decide([{ kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "seen" }])
      yield* Effect.promise(async () => {
        await page.getByRole("article", { name: "Decision 3" }).waitFor()
        await page.getByRole("button", { name: "Sign out" }).click()
        await page.getByRole("heading", { name: "Sign in to Tallystick" }).waitFor()
        await page.reload()
        await page.getByRole("heading", { name: "Sign in to Tallystick" }).waitFor()
      })
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))
})
