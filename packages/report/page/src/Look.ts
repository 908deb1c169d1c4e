/** How things look where no style sheet reaches: on canvas. Follows the system, and the printer. */
import { useEffect, useState } from "preact/hooks"

export interface Look {
  readonly ink: string
  readonly faint: string
  readonly grid: string
  readonly band: string
  readonly edge: string
  readonly matched: string
  readonly setAside: string
  readonly pending: string
  readonly undetermined: string
  readonly open: string
  readonly ofOtherDays: string
}

const light: Look = {
  ink: "#1d2530",
  faint: "#5b6675",
  grid: "#e6e9ee",
  band: "#eef3f8",
  edge: "#7b8ba0",
  matched: "#86a7c9",
  setAside: "#c9ced6",
  pending: "#e0a526",
  undetermined: "#8a63c7",
  open: "#c93a32",
  ofOtherDays: "#ddd3bf"
}

const dark: Look = {
  ink: "#e4e8ee",
  faint: "#9aa5b4",
  grid: "#2a323d",
  band: "#1d2733",
  edge: "#6f8098",
  matched: "#5f86b0",
  setAside: "#4a5461",
  pending: "#d9a63a",
  undetermined: "#a98be0",
  open: "#ef6a60",
  ofOtherDays: "#575044"
}

export interface Medium {
  readonly look: Look
  readonly printing: boolean
  /** Whether there is no room for the columns of the list. */
  readonly cards: boolean
  /** Whether a line is as short as on a telephone. */
  readonly narrow: boolean
}

const queries = {
  dark: matchMedia("(prefers-color-scheme: dark)"),
  print: matchMedia("print"),
  cards: matchMedia("(max-width: 1160px)"),
  narrow: matchMedia("(max-width: 560px)")
}

/** The medium that the page is shown on; renders again when it changes. */
export const useMedium = (): Medium => {
  const now = () => ({
    dark: queries.dark.matches,
    printing: queries.print.matches,
    cards: queries.cards.matches,
    narrow: queries.narrow.matches
  })
  const [medium, set] = useState(now)
  useEffect(() => {
    const changed = () => set(now())
    const begin = () => set({ ...now(), printing: true })
    for (const query of Object.values(queries)) query.addEventListener("change", changed)
    addEventListener("beforeprint", begin)
    addEventListener("afterprint", changed)
    return () => {
      for (const query of Object.values(queries)) query.removeEventListener("change", changed)
      removeEventListener("beforeprint", begin)
      removeEventListener("afterprint", changed)
    }
  }, [])
  const { cards, narrow, printing } = medium
  return {
    look: medium.dark && !printing ? dark : light,
    printing,
    cards: cards && !printing,
    narrow: narrow && !printing
  }
}
