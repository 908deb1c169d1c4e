/** What to do about an outcome: a sentence, and the commands to copy. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Advice from "../../../src/internal/content/Advice.ts"
import type { Facts } from "../../../src/internal/html/Facts.ts"
import { Command } from "../components/Command.tsx"

interface Props {
  readonly outcome: Outcome.Outcome
  readonly summary: Facts["summary"]
}

export const Act = ({ outcome, summary }: Props) => {
  const advice = Advice.of(outcome, Advice.scopeOf(summary))
  return advice === undefined ? null : (
    <section class="act" aria-label="What to do">
      <h3>What to do</h3>
      <p>{advice.sentence}</p>
      {advice.commands.map(({ label, text }) => <Command key={text} label={label} text={text} />)}
    </section>
  )
}
