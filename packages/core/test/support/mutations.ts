/** Answers that went wrong: bodies bent in every way that a seed finds, under heads that may not fit them. */

/** An answer as it comes: no status is impossible, and a body need not be text. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

export type Random = () => number

/** A seeded generator of numbers in [0, 1). */
export const seeded = (seed: number): Random => {
  let state = (seed * 7919 + 12_345) % 2_147_483_647
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const below = (random: Random, end: number): number => Math.floor(random() * end)
const pick = <A>(random: Random, choices: ReadonlyArray<A>): A => choices[below(random, choices.length)]!

const DEEP = 100_000
export const deep = (open: string, close: string): string => `${open.repeat(DEEP)}1${close.repeat(DEEP)}`

/** Values that no field has, as JSON text or nearly so. */
export const odd: ReadonlyArray<string> = [
  "null",
  "true",
  "[]",
  "{}",
  "[[1],{\"a\":[]}]",
  "0",
  "-0",
  "-1",
  "1.5",
  "1e2",
  "1e999",
  "-1e999",
  "9007199254740993",
  "8640000000000001",
  "9".repeat(400),
  `0.${"1".repeat(400)}`,
  "NaN",
  "Infinity",
  "undefined",
  "01",
  "'x'",
  "\"\"",
  "\" \"",
  "\"x\"",
  "\"\\ud800\"",
  "\"\\u0000\\u001b[31m\"",
  "\"9007199254740993\"",
  "\"1e5\"",
  "\"1,5\"",
  `"${"9".repeat(65)}"`,
  "{\"toString\":null,\"valueOf\":null,\"toJSON\":1}",
  "{\"__proto__\":{\"amount\":\"1\"},\"constructor\":null,\"then\":1}"
]

/** Values so large that a handful of them is enough. */
export const huge: ReadonlyArray<string> = [
  `"${"x".repeat(1_000_000)}"`,
  `"${"9".repeat(1_000_000)}"`,
  deep("[", "]"),
  deep("{\"a\":", "}")
]

const value = (random: Random): string => random() < 0.01 ? pick(random, huge) : pick(random, odd)

const keys = ["__proto__", "constructor", "toString", "hasOwnProperty", "code", "msg", "result", "totalCount", "length"]

const member = /"(\w+)":(?:"(?:[^"\\]|\\.)*"|\[[^[\]]*\]|[\w.+-]+)/g

/** One member of an object in the text, replaced. */
const atMember = (text: string, random: Random, change: (whole: string, key: string) => string): string => {
  const found = Array.from(text.matchAll(member))
  if (found.length === 0) return text
  const one = pick(random, found)
  return text.slice(0, one.index) + change(one[0], one[1] ?? "") + text.slice(one.index + one[0].length)
}

const part = (text: string, random: Random): readonly [start: number, end: number] => {
  const start = below(random, text.length + 1)
  return [start, Math.min(text.length, start + below(random, 40))]
}

type Bend = (text: string, random: Random, strange: ReadonlyArray<string>) => string

const bends: ReadonlyArray<Bend> = [
  (text, random) => text.slice(0, below(random, text.length + 1)),
  (text, random) => text.slice(below(random, text.length + 1)),
  (text, random) => {
    const [start, end] = part(text, random)
    return text.slice(0, end) + text.slice(start)
  },
  (text, random) => {
    const [start, end] = part(text, random)
    return text.slice(0, start) + text.slice(end)
  },
  (text, random) => {
    const [start] = part(text, random)
    return text.slice(0, start) + pick(random, ["{", "}", "[", "]", ",", ":", "\"", "\\", value(random)]) +
      text.slice(start)
  },
  (text, random) => atMember(text, random, (_, key) => `"${key}":${value(random)}`),
  (text, random) => atMember(text, random, (_, key) => `"${key}":${value(random)}`),
  (text, random) => atMember(text, random, (whole, key) => `"${key}":${value(random)},${whole}`),
  (text, random) => atMember(text, random, (whole, key) => `${whole},"${key}":${value(random)}`),
  (text, random) => atMember(text, random, () => `"x":1`),
  (text, random) => atMember(text, random, (whole) => `${whole},"${pick(random, keys)}":${value(random)}`),
  (text, random, strange) => atMember(text, random, (_, key) => `"${key}":"${pick(random, strange)}"`),
  (text, random, strange) => pick(random, strange) + text,
  (text, random) => text.replaceAll(/\d{4,}/g, (digits) => random() < 0.5 ? digits : pick(random, odd)),
  (text, random) => `{"result":${text},"totalCount":${value(random)}}`,
  (text, random) =>
    `{"totalCount":${value(random)},"result":[],"${pick(random, keys)}":${value(random)},"result":${text}}`,
  (text, random) => `{"code":${value(random)},"msg":${value(random)},"data":${text}}`,
  (text) => `[${text}]`,
  (text) => `${text}${text}`,
  (text) => `\ufeff ${text}\r\n`,
  (_, random) => value(random),
  (_, random) => `[${value(random)},${value(random)},${value(random)}]`,
  () => "",
  () => "<html><body>503 Service Temporarily Unavailable</body></html>"
]

const encode = (text: string, random: Random): Uint8Array<ArrayBuffer> => {
  if (random() < 0.02) return new Uint8Array(Buffer.from(text, "utf16le"))
  const bytes = new Uint8Array(Buffer.from(text))
  for (let flips = random() < 0.15 ? 1 + below(random, 8) : 0; flips > 0 && bytes.length > 0; flips--) {
    bytes[below(random, bytes.length)] = below(random, 256)
  }
  return bytes
}

const success = [200, 201, 202, 203, 204, 206]
const redirects = [300, 301, 302, 303, 304, 307, 308]
const refusals = [400, 401, 403, 404, 408, 413, 418, 429, 451]
const failures = [500, 502, 503, 504, 510, 599, 600, 999]
const statuses = [...success, ...redirects, ...refusals, ...failures]

const types = [
  "text/html",
  "text/plain",
  "application/octet-stream",
  "application/json;charset=utf-16",
  "APPLICATION/JSON",
  "application/problem+json",
  "application/jsonp",
  "text/json; charset=latin1",
  ";;;"
]

/** One answer of a seed: `text` bent one to three times, and now and then under another head. */
export const bent = (text: string, seed: number, strange: ReadonlyArray<string>): Answer => {
  const random = seeded(seed)
  let body = text
  for (let times = 1 + below(random, 3); times > 0 && body.length < 100_000; times--) {
    body = pick(random, bends)(body, random, strange)
  }
  const type = random() < 0.8 ? "application/json" : random() < 0.3 ? undefined : pick(random, types)
  const wait = random() < 0.1 ? pick(random, ["0", "7", "1e3", "soon", "-1", "9".repeat(40)]) : undefined
  return {
    status: random() < 0.7 ? 200 : pick(random, statuses),
    headers: {
      ...(type === undefined ? {} : { "content-type": type }),
      ...(wait === undefined ? {} : { "retry-after": wait })
    },
    body: encode(body, random)
  }
}

/** Every field of the text's records with every odd value, and every status with a body that is right otherwise. */
export const systematic = (text: string): ReadonlyArray<Answer> => {
  const json = { "content-type": "application/json" }
  const answer = (body: string, status = 200, headers: Readonly<Record<string, string>> = json): Answer => ({
    status,
    headers,
    body: new Uint8Array(Buffer.from(body))
  })
  const members = Array.from(text.matchAll(member))
  return [
    ...members.flatMap(({ 0: whole, 1: key, index }) =>
      odd.map((value) => answer(`${text.slice(0, index)}"${key}":${value}${text.slice(index + whole.length)}`))
    ),
    ...huge.map((value) => answer(text.replace(member, `"$1":${value}`))),
    ...statuses.flatMap((status) =>
      [text, "", "{}", "{\"code\":700004,\"msg\":\"no\"}", "<html>"].flatMap((body) => [
        answer(body, status),
        answer(body, status, {}),
        answer(body, status, { "content-type": "text/html" })
      ])
    )
  ]
}

/** As a client sees it. */
export const toResponse = ({ body, headers, status }: Answer): Response =>
  Object.defineProperty(new Response(body, { headers }), "status", { value: status })
