/** Reads and checks further keys of a master. A problem names the place of a key in its list, and nothing of what stands there. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as KeyForm from "./KeyForm.ts"

export interface Credentials {
  readonly apiKey: Redacted.Redacted
  readonly secretKey: Redacted.Redacted
}

export const ALLOWED = "a JSON array of {\"apiKey\": \"…\", \"secretKey\": \"…\"}"

const Entry = Schema.Struct({ apiKey: Schema.String, secretKey: Schema.String })

const isEntry = Schema.is(Entry)

const isExact = (entry: unknown): entry is typeof Entry.Type => isEntry(entry) && Object.keys(entry).length === 2

/** Reads a list of keys from JSON. No words of the parser's are told, because they quote the text. */
export const parse = (text: string): Result.Result<ReadonlyArray<Credentials>, string> =>
  Result.gen(function*() {
    const list = yield* Result.mapError(
      Result.try(() => JSON.parse(text) as unknown),
      () => `is no JSON; wanted: ${ALLOWED}`
    )
    if (!Array.isArray(list) || list.length === 0) {
      return yield* Result.fail(`holds no list of keys; wanted: ${ALLOWED}`)
    }
    const entries: ReadonlyArray<unknown> = list
    const wrong = entries.findIndex((entry) => !isExact(entry))
    if (wrong >= 0) {
      return yield* Result.fail(`has another form in entry ${wrong + 1} of ${entries.length}; wanted: ${ALLOWED}`)
    }
    return entries.filter(isExact).map(({ apiKey, secretKey }) => ({
      apiKey: Redacted.make(apiKey, { label: "apiKey" }),
      secretKey: Redacted.make(secretKey, { label: "secretKey" })
    }))
  })

/** Returns the first problem of further keys beside the first key of their master. */
export const problem = (first: Redacted.Redacted, further: ReadonlyArray<Credentials>): string | undefined => {
  const seen = new Set([Redacted.value(first)])
  for (const [index, { apiKey, secretKey }] of further.entries()) {
    const place = `entry ${index + 1} of ${further.length}`
    const key = Redacted.value(apiKey)
    if (!KeyForm.apiKey.isValid(key)) return `has a wrong apiKey in ${place}; allowed: ${KeyForm.apiKey.allowed}`
    if (!KeyForm.secretKey.isValid(Redacted.value(secretKey))) {
      return `has a wrong secretKey in ${place}; allowed: ${KeyForm.secretKey.allowed}`
    }
    if (key === Redacted.value(first)) {
      return `repeats the first key in ${place}; wanted: further keys of the same master`
    }
    if (seen.has(key)) return `repeats a key in ${place}; wanted: each key once`
    seen.add(key)
  }
  return undefined
}
