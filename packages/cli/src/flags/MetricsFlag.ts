/** `--metrics HOST:PORT`: where a command that goes on serves its metrics. */
import * as Flag from "effect/cli/Flag"
import type * as Option from "effect/Option"

/** The flag of a command that goes on with another flag of it. */
export const of = (needed: string) =>
  Flag.String("metrics").pipe(
    Flag.withMetavar("HOST:PORT"),
    Flag.withDescription(
      `With ${needed}: serve metrics for Prometheus there, at /metrics; a port alone is one of 127.0.0.1, which other machines do ` +
        "not reach"
    ),
    Flag.optional
  )

export interface Flags {
  readonly metrics: Option.Option<string>
}
