/** `--metrics HOST:PORT`: where a watch serves its metrics. */
import * as Flag from "effect/cli/Flag"
import type * as Option from "effect/Option"

export const flag = Flag.String("metrics").pipe(
  Flag.withMetavar("HOST:PORT"),
  Flag.withDescription(
    "With --watch: serve metrics for Prometheus there, at /metrics; a port alone is one of 127.0.0.1, which other machines do " +
      "not reach"
  ),
  Flag.optional
)

export interface Flags {
  readonly metrics: Option.Option<string>
}
