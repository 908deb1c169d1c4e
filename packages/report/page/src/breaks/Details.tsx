/** One outcome whole: its entries side by side, and what else is known of it. Its row has told it in words. */
import { Entries } from "./Entries.tsx"
import { Evidence, type Props } from "./Evidence.tsx"
import { Unreadable } from "./Unreadable.tsx"

export const Details = ({ outcome, worth }: Pick<Props, "outcome" | "worth">) => {
  const { bad, deposits, transfers } = outcome
  return (
    <div class="details">
      {bad === undefined
        ? (
          <div class="sides">
            <Entries title="Deposits" entries={deposits} />
            <Entries title="Transfers" entries={transfers} />
          </div>
        )
        : <Unreadable bad={bad} />}
      <Evidence outcome={outcome} worth={worth} />
    </div>
  )
}
