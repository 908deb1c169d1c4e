/** The five figures: what is open, what that is worth, how much is matched, how old the oldest of it is, and whether all was read. */
import { useContext } from "preact/hooks"
import type * as Figures from "../../../src/internal/content/Figures.ts"
import * as FigureText from "../../../src/internal/content/FigureText.ts"
import type { Facts } from "../../../src/internal/html/Facts.ts"
import * as Text from "../../../src/text/Text.ts"
import { Clock } from "../Clock.ts"
import { BoundText } from "../components/BoundText.tsx"
import { CountText } from "../components/CountText.tsx"
import { type Stat, Stats } from "../components/Stats.tsx"

const toneOf = (name: FigureText.FigureText["name"], { open, unread }: Figures.Figures): Stat["tone"] => {
  if (name === "open") return open === 0 ? "good" : "bad"
  return name === "read" && unread !== null ? "doubtful" : undefined
}

export const FigureRow = ({ facts: { currency, figures } }: { readonly facts: Facts }) => {
  const times = useContext(Clock)
  return (
    <Stats
      label="Figures"
      stats={FigureText.of(figures, times, currency ?? undefined).map(({ label, name, note, value }) => ({
        label,
        value: <BoundText text={Text.plain(value)} />,
        about: note === "" ? undefined : (
          <bdi>
            <CountText text={Text.plain(note)} />
          </bdi>
        ),
        tone: toneOf(name, figures)
      }))}
    />
  )
}
