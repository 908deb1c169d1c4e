/** One outcome whole: its entries side by side, and what else is known of it. Its row has told it in words. */
import type { Facts } from "../../../src/internal/html/Facts.ts"
import { Act } from "./Act.tsx"
import { Entries } from "./Entries.tsx"
import { Evidence, type Props } from "./Evidence.tsx"
import { Unreadable } from "./Unreadable.tsx"

type DetailsProps = Pick<Props, "outcome" | "worth"> & { readonly summary: Facts["summary"] }

export const Details = ({ outcome, summary, worth }: DetailsProps) => {
  const { bad, deposits, transfers } = outcome
  return (
    <div class="details">
      <Act outcome={outcome} summary={summary} />
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
