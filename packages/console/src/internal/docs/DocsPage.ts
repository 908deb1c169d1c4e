/**
 * Serves `/docs`, which describes the console to people. It is Swagger UI with everything in it, and asks nothing of anybody else: its script
 * and its style are taken out of the page, because none may stand in one.
 */
import * as Effect from "effect/Effect"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import type * as HttpBody from "effect/http/HttpBody"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { ConsoleApi } from "../../ConsoleApi.ts"

const PAGE = "/docs"
const SCRIPT = "/docs/page.js"
const STYLE = "/docs/page.css"

const textOf = (body: HttpBody.HttpBody): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

/** Takes what stands between two tags out of a page, and puts something else in its place. */
const takeOut = (page: string, begin: string, end: string, instead: string) => {
  const from = page.lastIndexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) return Effect.die(`Swagger UI has no ${begin} any more`)
  return Effect.succeed({
    taken: page.slice(from + begin.length, to),
    left: page.slice(0, from) + instead + page.slice(to + end.length)
  })
}

/** It is made when somebody asks for it, because it takes longer to load than all the rest. */
const parts = Effect.gen(function*() {
  const page = yield* Effect.flatten(HttpRouter.toHttpEffect(HttpApiSwagger.layer(ConsoleApi, { path: PAGE })))
  const style = yield* takeOut(textOf(page.body), "<style>", "</style>", `<link rel="stylesheet" href="${STYLE}">`)
  const script = yield* takeOut(style.left, "\n  <script>\n", "\n  </script>", `\n  <script src="${SCRIPT}"></script>`)
  return { page: script.left, script: script.taken, style: style.taken }
}).pipe(Effect.scoped, Effect.orDie)

export const layer = Layer.unwrap(Effect.gen(function*() {
  const made = yield* Effect.cached(
    HttpServerRequest.HttpServerRequest.use((request) =>
      Effect.provideService(parts, HttpServerRequest.HttpServerRequest, request.modify({ url: PAGE }))
    )
  )
  const serving = (path: `/${string}`, part: "page" | "script" | "style", contentType: string) =>
    HttpRouter.add("GET", path, Effect.map(made, (found) => HttpServerResponse.text(found[part], { contentType })))
  return Layer.mergeAll(
    serving(PAGE, "page", "text/html; charset=utf-8"),
    serving(SCRIPT, "script", "text/javascript; charset=utf-8"),
    serving(STYLE, "style", "text/css; charset=utf-8")
  )
}))
