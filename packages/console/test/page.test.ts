/** The page is served by the console, under a policy that lets nothing else in. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sources from "../page/Sources.ts"
import * as Page from "../src/internal/page/Page.generated.ts"
import * as Asked from "./support/Asked.ts"
import * as Console from "./support/Console.ts"

describe("the page", () => {
  it("is built from the sources that are there", () => {
    assert.strictEqual(Page.sources, Sources.digest())
  })

  it.effect("is one document, one script and one style, which nobody has to be signed in for", () =>
    Effect.gen(function*() {
      const { origin } = yield* Console.atDesk()
      const document = yield* Asked.asked(origin, { path: "/" })
      assert.deepInclude(document.headers, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })
      assert.include(document.headers["content-security-policy"], "script-src 'self'; style-src 'self'")
      assert.notMatch(document.text, /<script(?! src="\/page\.js")|<style|\son\w+=|\sstyle=/)
      const script = yield* Asked.asked(origin, { path: "/page.js" })
      assert.deepInclude(script.headers, { "content-type": "text/javascript; charset=utf-8" })
      assert.strictEqual(script.text, Page.script)
      const style = yield* Asked.asked(origin, { path: "/page.css" })
      assert.deepInclude(style.headers, { "content-type": "text/css; charset=utf-8" })
      assert.strictEqual(style.text, Page.style)
      assert.notMatch(style.text, /@import|url\((?!["']?data:)/)
    }).pipe(Effect.provide(Console.layer())))
})
