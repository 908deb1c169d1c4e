/**
 * The service's clock is held against this machine's. Where they differ by more than a round trip explains, one of them is wrong,
 * and only what holds by both is proven.
 */
import type * as Conventions from "@tallystick/core/Conventions"
import * as Coverage from "@tallystick/core/Coverage"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Two clocks that differ by no more than this agree, ms. It is well below the overlap, which each round reads again. */
export const TOLERANCE = 5 * 60_000

/** Both in Unix ms, at one moment. */
export interface Clocks {
  readonly service: number
  readonly machine: number
}

/** Tells how far the service's clock is ahead of this machine's, ms; negative where it is behind, 0 where they agree. */
export const ahead = ({ machine, service }: Clocks): number =>
  Math.abs(service - machine) <= TOLERANCE ? 0 : service - machine

type Times = Pick<Conventions.Conventions, "settle" | "depositHistory" | "transferHistory">

const FORGOTTEN: Coverage.Gap = {
  code: "not-read",
  detail: "by this machine's clock, which is ahead of the service's, the service may have forgotten parts of it"
}

/**
 * Gives of what a reading proved the part that holds by this machine's clock too: what is not settled by that stays open, and what
 * the service may have forgotten by that is a gap. `behind` says how far the service's clock was behind when the round began, ms.
 */
export const proven = (coverage: ReadonlyArray<Coverage.Coverage>, machine: number, behind: number, times: Times) =>
  coverage.flatMap((part): ReadonlyArray<Coverage.Coverage> => {
    if (part.state === "incomplete") return [part]
    const isOpen = part.state === "open" || part.readAt - machine > TOLERANCE
    const settled = isOpen ? Math.min(part.state === "open" ? part.from : machine - times.settle, part.to) : part.to
    const history = part.operation === "deposits" ? times.depositHistory : times.transferHistory
    const known = behind > TOLERANCE ? part.readAt + behind - history : part.from
    const [from, to] = [Math.min(Math.max(known, part.from), part.to), Math.max(settled, part.from)]
    const forgotten = { ...part, to: from, state: "incomplete" as const, gap: FORGOTTEN }
    const pieces: ReadonlyArray<Coverage.Coverage> = [
      forgotten,
      ...Coverage.clip([part], { from, to: Math.max(from, to) }),
      { ...part, from: Math.max(from, to), state: "open" }
    ]
    return pieces.filter((piece) => piece.from < piece.to)
  })

/** Reads this machine's clock beside the service's time. */
export const beside = (service: number): Effect.Effect<Clocks> =>
  Effect.map(Clock.currentTimeMillis, (machine) => ({ service, machine }))
