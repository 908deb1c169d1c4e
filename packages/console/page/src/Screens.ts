/** The screens, in the order in which the frame offers them; the first one is where somebody begins. */
import type { ComponentType } from "preact"
import { DecisionsScreen } from "./decisions/DecisionsScreen.tsx"
import { ItemsScreen } from "./items/ItemsScreen.tsx"
import { OverviewScreen } from "./overview/OverviewScreen.tsx"
import { PeriodsScreen } from "./periods/PeriodsScreen.tsx"
import { RunsScreen } from "./runs/RunsScreen.tsx"

interface Screen {
  /** Its name in the address. */
  readonly id: string
  readonly title: string
  readonly Screen: ComponentType<{ readonly chosen: URLSearchParams }>
}

export const SCREENS: readonly [Screen, ...Array<Screen>] = [
  { id: "overview", title: "Overview", Screen: OverviewScreen },
  { id: "items", title: "Items", Screen: ItemsScreen },
  { id: "runs", title: "Runs", Screen: RunsScreen },
  { id: "decisions", title: "Decisions", Screen: DecisionsScreen },
  { id: "periods", title: "Periods", Screen: PeriodsScreen }
]
