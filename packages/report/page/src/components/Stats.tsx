/** Figures side by side: each a name, a number that is seen from afar, and what it is made of. */
import type { ComponentChildren } from "preact"

export interface Stat {
  readonly label: string
  readonly value: ComponentChildren
  readonly about?: ComponentChildren
  /** The colour of the number; without one it has that of text. */
  readonly tone?: "good" | "doubtful" | "bad" | undefined
}

export const Stats = ({ label, stats }: { readonly label: string; readonly stats: ReadonlyArray<Stat> }) => (
  <dl class="stats" aria-label={label} style={{ "--stats": stats.length }}>
    {stats.map(({ about, label, tone, value }) => (
      <div key={label} class="stat">
        <dt>{label}</dt>
        <dd class={`value ${tone ?? ""}`}>{value}</dd>
        {about === undefined ? null : <dd class="about">{about}</dd>}
      </div>
    ))}
  </dl>
)
