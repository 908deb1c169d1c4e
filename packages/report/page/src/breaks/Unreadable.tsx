/** A record that could not be read, as it came, and why. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Text from "../../../src/text/Text.ts"

export const Unreadable = ({ bad }: { readonly bad: NonNullable<Outcome.Outcome["bad"]> }) => (
  <section class="side" aria-label="Record that could not be read">
    <h3>{bad.side} at {Text.plain(bad.source)}</h3>
    <p>
      {bad.path === "" ? "" : `${Text.plain(bad.path)}: `}
      <bdi>{Text.plain(bad.reason)}</bdi>
    </p>
    <pre>{Text.plain(bad.raw)}</pre>
  </section>
)
