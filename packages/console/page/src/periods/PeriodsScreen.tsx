/** Periods: what was closed, whether it still stands, and the next close. */
import * as Text from "@tallystick/report/text/Text"
import type * as Effect from "effect/Effect"
import { useState } from "preact/hooks"
import type * as Failure from "../asking/Failure.ts"
import { useAsked } from "../asking/useAsked.ts"
import { useWriting } from "../asking/useWriting.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { CloseForm } from "./CloseForm.tsx"
import { PeriodCard } from "./PeriodCard.tsx"

export const PeriodsScreen = () => {
  const { marks, mayApprove } = useDesk()
  const [said, say] = useState("")
  const writing = useWriting()
  const asked = useAsked("periods", marks?.closing, (client) => client.periods.closes())
  const write = (effect: Effect.Effect<unknown, Failure.Told>, done: string): void => {
    say("")
    writing.write(effect, () => say(done))
  }
  return (
    <section aria-label="Periods">
      <p class="said words" role="status">
        {Text.plain(writing.isWriting ? "It is being written." : writing.trouble ?? said)}
      </p>
      <Shown asked={asked} what="The periods">
        {({ closes }) => {
          const standing = closes.findLast(({ reopened }) => reopened === undefined)
          return (
            <>
              {mayApprove ? <CloseForm last={standing?.close} write={write} /> : null}
              {closes.length === 0 ? <p class="empty">No period was closed yet.</p> : (
                <ol class="cards-list">
                  {closes.toReversed().map((one) => (
                    <li key={one.id}>
                      <PeriodCard closed={one} isLast={one === standing} write={write} />
                    </li>
                  ))}
                </ol>
              )}
            </>
          )
        }}
      </Shown>
    </section>
  )
}
