/** Counts requests by what the conventions say: all of them together, or those of each key by themselves. */
import type * as Conventions from "@tallystick/core/Conventions"
import type { Credential } from "../../Credential.ts"
import type * as Rules from "../../Rules.ts"
import type { Answer } from "./Answer.ts"
import type * as Authentication from "./Authentication.ts"
import * as RateGate from "./RateGate.ts"

export interface RateGates {
  /** Lets a request through, or returns its refusal. */
  readonly admit: (now: number, request: Pick<Authentication.Incoming, "headers">) => Answer | undefined
  /** Bans all clients, as `RateGate.ban` does. */
  readonly ban: RateGate.RateGate["ban"]
}

export const make = (
  credentials: ReadonlyArray<Credential>,
  { apiKeyHeader, ratePer }: Conventions.Conventions,
  rate: Rules.Rate | null
): RateGates => {
  const keys = ratePer === "key" ? credentials.map(({ apiKey }) => apiKey) : []
  const own = new Map(keys.map((key) => [key, RateGate.make(rate)]))
  const common = RateGate.make(rate)
  const gateOf = (key: string | undefined) => own.get(key ?? "") ?? common
  return {
    admit: (now, { headers }) => gateOf(headers[apiKeyHeader.toLowerCase()]).admit(now),
    ban: (now, seconds, untold) => {
      for (const gate of [common, ...own.values()]) gate.ban(now, seconds, untold)
    }
  }
}
