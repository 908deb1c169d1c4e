/**
 * Describes the faults between a request and its answer. Each fault is data: a kind, and the requests that it hits.
 *
 * Of the entries in a list of faults, the first one that hits a request decides. A request is hit when its ordinal stands in
 * `requests`, or by chance for a `share` of them; an entry with neither hits all. Both count the requests of the entry's
 * `operations` alone, from 1.
 */
import * as BrokerError from "@tallystick/core/BrokerError"
import * as Schema from "effect/Schema"

const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const PositiveInt = Schema.Int.check(Schema.isGreaterThan(0))
const Milliseconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400_000 }))

/** Whether a text is a URL that can stand in a header: `URL` would accept line breaks, which a server does not send. */
const isUrl = (text: string): boolean => /^https?:[\x21-\x7e]+$/i.test(text) && URL.canParse(text)

const selector = {
  share: Schema.optionalKey(Share).annotateKey({ description: "Chance, 0 to 1." }),
  requests: Schema.optionalKey(Schema.Array(PositiveInt)).annotateKey({ description: "Ordinals, from 1." }),
  operations: Schema.optionalKey(Schema.Array(BrokerError.Operation)).annotateKey({
    description: "All requests unless given, those to unknown paths included."
  })
}

/** Whether the operation took effect: `before` (it did not, the default) or `after` (it did). */
const Effect = Schema.optionalKey(Schema.Literals(["before", "after"]))

/** A 5xx replaces the answer: 503 unless given, with the service's JSON or a gateway's HTML. */
export const ErrorFault = Schema.Struct({
  kind: Schema.Literal("error"),
  ...selector,
  status: Schema.optionalKey(Schema.Literals([500, 502, 503, 504])),
  effect: Effect,
  html: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ErrorFault" })

/**
 * The connection is reset: at the `request` (nothing ran, no byte is answered), the `answer` (it ran, no byte is
 * answered), within the `body` (status, headers and part of it), or at the `end`, after a whole answer.
 */
export const ResetFault = Schema.Struct({
  kind: Schema.Literal("reset"),
  ...selector,
  at: Schema.Literals(["request", "answer", "body", "end"])
}).annotate({ identifier: "ResetFault" })

/** The body breaks off although its length says that it is whole. */
export const TruncateFault = Schema.Struct({ kind: Schema.Literal("truncate"), ...selector }).annotate({
  identifier: "TruncateFault"
})

/** A firewall's page replaces the answer, as 403 (unless given) or as 200. */
export const FirewallFault = Schema.Struct({
  kind: Schema.Literal("firewall"),
  ...selector,
  status: Schema.optionalKey(Schema.Literals([403, 200])),
  effect: Effect
}).annotate({ identifier: "FirewallFault" })

/** The body comes `bytes` at a time, with `every` ms between. */
export const DripFault = Schema.Struct({
  kind: Schema.Literal("drip"),
  ...selector,
  bytes: PositiveInt,
  every: Milliseconds
}).annotate({ identifier: "DripFault" })

/**
 * The body never ends. After it come white space, or the records of a list over and over, `bytes` (65,536 unless given) at a time
 * with `every` ms between (0 unless given: as fast as the client reads).
 */
export const EndlessFault = Schema.Struct({
  kind: Schema.Literal("endless"),
  ...selector,
  filler: Schema.optionalKey(Schema.Literals(["whitespace", "records"])),
  bytes: Schema.optionalKey(PositiveInt.check(Schema.isLessThanOrEqualTo(1_048_576))),
  every: Schema.optionalKey(Milliseconds)
}).annotate({ identifier: "EndlessFault" })

/** The answer is a redirect to an absolute http or https URL, `https://elsewhere.example.com/` unless given; 302 unless given. */
export const RedirectFault = Schema.Struct({
  kind: Schema.Literal("redirect"),
  ...selector,
  status: Schema.optionalKey(Schema.Literals([301, 302, 303, 307, 308])),
  to: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((text) => isUrl(text) ? undefined : "Expected an http or https URL in visible ASCII characters")
    )
  )
}).annotate({ identifier: "RedirectFault" })

/** The answer is a 429, whatever the rate; without `retryAfter` (seconds) it has no Retry-After. */
export const ThrottleFault = Schema.Struct({
  kind: Schema.Literal("throttle"),
  ...selector,
  retryAfter: Schema.optionalKey(PositiveInt)
}).annotate({ identifier: "ThrottleFault" })

/** The request starts a ban of all clients for `seconds`, answered 418. With `untold` the answer has no Retry-After. */
export const BanFault = Schema.Struct({
  kind: Schema.Literal("ban"),
  ...selector,
  seconds: PositiveInt,
  untold: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "BanFault" })

/** A fault between a request and its answer. */
export const WireFault = Schema.Union([
  ErrorFault,
  ResetFault,
  TruncateFault,
  FirewallFault,
  DripFault,
  EndlessFault,
  RedirectFault,
  ThrottleFault,
  BanFault
]).annotate({
  expected: "a fault whose kind is error, reset, truncate, firewall, drip, endless, redirect, throttle or ban"
})
export type WireFault = typeof WireFault.Type
