/** Applies a fault to a request and its answer. */
import type * as BrokerError from "@tallystick/core/BrokerError"
import type { Delivery, Manner } from "../../Delivery.ts"
import type * as Faults from "../../Faults.ts"
import type { WireFault } from "../../WireFault.ts"
import { type Answer, nothing, page, refuse } from "../exchange/Answer.ts"
import type { Tally } from "../exchange/Tally.ts"
import * as Prng from "../Prng.ts"

const HIT = 9
const CUT = 10
const LATENCY = 11

/** Returns the first entry that hits the request which was counted last. */
export const hit = (
  { seed = 0, wire = [] }: Faults.Faults,
  operation: BrokerError.Operation | undefined,
  tally: Tally
): WireFault | undefined =>
  wire.find(({ operations, requests, share }, index) => {
    if (operations !== undefined && (operation === undefined || !operations.includes(operation))) return false
    if (requests === undefined && share === undefined) return true
    const ordinal = tally.of(operations)
    return requests?.includes(ordinal) === true || Prng.fraction(seed, HIT, index, ordinal) < (share ?? 0)
  })

const ELSEWHERE = "https://elsewhere.example.com/"

const gateway = (status: number): Answer =>
  page(status, `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>gateway</body></html>\n`)

const firewall = (status: number): Answer =>
  page(
    status,
    "<!DOCTYPE html><html><head><title>Access denied</title></head><body><h1>Access denied</h1>" +
      "<p>Your request was blocked by the firewall.</p></body></html>\n"
  )

/** Returns the answer that a fault gives in place of the operation's. */
const own = (fault: WireFault): Answer | undefined => {
  switch (fault.kind) {
    case "error": {
      const { html, status = 503 } = fault
      return html === true
        ? gateway(status)
        : refuse(status, status, "Service unavailable, please try again later.")
    }
    case "firewall":
      return firewall(fault.status ?? 403)
    case "redirect":
      return { status: fault.status ?? 302, headers: { location: fault.to ?? ELSEWHERE }, body: "" }
    case "throttle":
      return refuse(
        429,
        429,
        "Too many requests.",
        fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) }
      )
    case "reset":
      return fault.at === "request" ? nothing : undefined
    default:
      return undefined
  }
}

const isAfter = (fault: WireFault): boolean => "effect" in fault && fault.effect === "after"

/** Returns the answer of a fault that keeps the operation from running; undefined when it runs. */
export const instead = (fault: WireFault | undefined): Answer | undefined =>
  fault === undefined || isAfter(fault) ? undefined : own(fault)

/** Returns the answer of a fault that replaces the operation's answer after it ran. */
export const behind = (fault: WireFault | undefined, answer: Answer): Answer =>
  fault !== undefined && isAfter(fault) ? own(fault) ?? answer : answer

/** Cuts a list for endless repetition: the body without its end, and the text that is repeated. */
const repeating = (body: string): { readonly body: string; readonly unit: string } | undefined => {
  const [start] = /^(?:\{(?:"code":0,"message":"",)?"(?:result|data)":)?\[/.exec(body) ?? []
  const end = body.lastIndexOf("]")
  if (start === undefined || end <= start.length) return undefined
  return { body: body.slice(0, end), unit: `,${body.slice(start.length, end)}` }
}

const DEFAULT_CHUNK = 65_536

/** Repeats `unit` until it has at least `bytes`, so that nothing is cut in the middle of a record. */
const filled = (unit: string, bytes: number): string => unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)))

interface Sent {
  readonly answer: Answer
  readonly manner: Manner
}

/** Returns the answer and the way it goes out. `cut` (0 to 1) says where it breaks off. */
const sent = (fault: WireFault | undefined, answer: Answer, cut: number): Sent => {
  switch (fault?.kind) {
    case "reset": {
      if (fault.at === "end") return { answer, manner: { _tag: "ResetBehind" } }
      if (fault.at !== "body") return { answer, manner: { _tag: "Nothing" } }
      return { answer, manner: { _tag: "Part", bytes: Math.floor(cut * Buffer.byteLength(answer.body)) } }
    }
    case "truncate":
      return {
        answer: { ...answer, body: answer.body.slice(0, Math.floor(cut * answer.body.length)) },
        manner: { _tag: "Whole" }
      }
    case "drip":
      return { answer, manner: { _tag: "Drip", bytes: fault.bytes, every: fault.every } }
    case "endless": {
      const { bytes = DEFAULT_CHUNK, every = 0, filler } = fault
      const list = filler === "records" ? repeating(answer.body) : undefined
      return {
        answer: list === undefined ? answer : { ...answer, body: list.body },
        manner: { _tag: "Endless", filler: filled(list?.unit ?? " ", bytes), every }
      }
    }
    default:
      return { answer, manner: { _tag: "Whole" } }
  }
}

/** Returns the latency below which a share `u` of the requests stays. */
const quantile = (latency: Faults.Latency, u: number): number => {
  const next = latency.findIndex(([share]) => share >= u)
  const [above, below] = [latency[next], latency[next - 1]]
  if (above === undefined) return latency.at(-1)?.[1] ?? 0
  if (below === undefined) return above[1]
  const [low, high] = [below[0], above[0]]
  return Math.round(below[1] + (above[1] - below[1]) * (u - low) / (high - low))
}

const delay = ({ latency, seed = 0 }: Faults.Faults, ordinal: number): number =>
  latency === undefined ? 0 : quantile(latency, Prng.fraction(seed, LATENCY, ordinal))

/** An answer as it goes out: at once and whole without `delivery`. */
export interface Delivered extends Answer {
  readonly delivery?: Delivery
}

/** Returns the answer to the request with this ordinal, and how it goes out. */
export const deliver = (
  faults: Faults.Faults,
  fault: WireFault | undefined,
  answer: Answer,
  ordinal: number
): Delivered => {
  const wait = delay(faults, ordinal)
  const whole = sent(fault, answer, Prng.fraction(faults.seed ?? 0, CUT, ordinal))
  return wait === 0 && whole.manner._tag === "Whole"
    ? whole.answer
    : { ...whole.answer, delivery: { delay: wait, manner: whole.manner } }
}
