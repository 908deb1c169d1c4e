/** Serves the console's page: one document, one script and one style, all from here. The page holds nothing of the books: it asks for them. */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"

const DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Tallystick</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<div id="page"></div>
<noscript>This page needs its script. Programs ask the same at /docs.</noscript>
</body>
</html>
`

/** It is loaded when somebody asks for it: the console starts without it. */
const page = Effect.promise(() => import("./Page.generated.ts"))

const part = (name: "script" | "style", contentType: string) =>
  Effect.map(page, (found) => HttpServerResponse.text(found[name], { contentType }))

export const layer = Layer.mergeAll(
  HttpRouter.add("GET", "/", HttpServerResponse.text(DOCUMENT, { contentType: "text/html; charset=utf-8" })),
  HttpRouter.add("GET", "/page.js", part("script", "text/javascript; charset=utf-8")),
  HttpRouter.add("GET", "/page.css", part("style", "text/css; charset=utf-8"))
)
