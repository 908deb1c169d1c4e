/** Pieces of SVG, and the palette: light, or dark where the reader's system is dark. */

type Attributes = Readonly<Record<string, string | number>>

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

const rounded = (value: string | number): string =>
  String(typeof value === "number" ? Math.round(value * 10) / 10 : value)

const el = (name: string, attributes: Attributes, ...children: ReadonlyArray<string>): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(rounded(value))}"`).join("")
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join("")}</${name}>`
}

export type Tone = "text" | "muted" | "deposit" | "transfer" | "match" | "doubt" | "break"
type Anchor = "start" | "middle" | "end"

export interface TextOptions {
  readonly tone?: Tone
  readonly anchor?: Anchor
  readonly size?: number
  readonly strong?: boolean
}

export const text = (
  x: number,
  y: number,
  words: string,
  { anchor = "start", size = 13, strong = false, tone = "text" }: TextOptions = {}
): string =>
  el("text", {
    x,
    y,
    class: tone,
    "text-anchor": anchor,
    "font-size": size,
    ...(strong ? { "font-weight": 600 } : {})
  }, escape(words))

/** Lines of text below one another. */
export const lines = (x: number, y: number, words: ReadonlyArray<string>, options: TextOptions = {}): string =>
  words.map((line, index) => text(x, y + index * 17, line, options)).join("\n")

export const line = (
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  tone: Tone,
  dashes?: string
): string =>
  el("line", { x1, y1, x2, y2, class: `line ${tone}`, ...(dashes === undefined ? {} : { "stroke-dasharray": dashes }) })

export const band = (x: number, y: number, width: number, height: number, tone: Tone): string =>
  el("rect", { x, y, width, height, class: `band ${tone}` })

/** Draws a deposit round and a transfer square, so that no meaning rests on colour alone. */
export const deposit = (x: number, y: number): string => el("circle", { cx: x, cy: y, r: 7, class: "mark deposit" })
export const transfer = (x: number, y: number): string =>
  el("rect", { x: x - 6.5, y: y - 6.5, width: 13, height: 13, rx: 2, class: "mark transfer" })

const palettes = {
  light: {
    paper: "#ffffff",
    edge: "#d1d9e0",
    text: "#1f2328",
    muted: "#59636e",
    deposit: "#0969da",
    transfer: "#8250df",
    match: "#1a7f37",
    doubt: "#9a6700",
    break: "#cf222e"
  },
  dark: {
    paper: "#0d1117",
    edge: "#3d444d",
    text: "#e6edf3",
    muted: "#9198a1",
    deposit: "#58a6ff",
    transfer: "#bc8cff",
    match: "#3fb950",
    doubt: "#d29922",
    break: "#ff7b72"
  }
}

const rules = ({ edge, paper, ...tones }: typeof palettes.light): string =>
  [
    `.paper{fill:${paper};stroke:${edge}}`,
    ...Object.entries(tones).map(([tone, colour]) => `.${tone}{fill:${colour}}.line.${tone}{stroke:${colour}}`)
  ].join("")

const style = [
  "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif}",
  ".line{stroke-width:2;fill:none}.band{opacity:.14}",
  rules(palettes.light),
  `@media(prefers-color-scheme:dark){${rules(palettes.dark)}}`
].join("")

/** Makes a picture on a background of its own, so that it is readable on any page, and describes it in words. */
export const picture = (
  [width, height]: readonly [number, number],
  { description, title }: { readonly title: string; readonly description: string },
  ...children: ReadonlyArray<string>
): string =>
  `${
    el(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        viewBox: `0 0 ${width} ${height}`,
        width,
        height,
        role: "img",
        "aria-labelledby": "title description"
      },
      "\n",
      [
        el("title", { id: "title" }, escape(title)),
        el("desc", { id: "description" }, escape(description)),
        el("style", {}, style),
        el("rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 8, class: "paper" }),
        ...children
      ].join("\n"),
      "\n"
    )
  }\n`
