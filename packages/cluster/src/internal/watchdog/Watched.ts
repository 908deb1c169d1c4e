/** The pulses of this process, where a watchdog watches it. */
import * as Context from "effect/Context"
import type { Pulses } from "./Pulses.ts"

export const Watched = Context.Reference<Pulses | undefined>("@tallystick/cluster/internal/watchdog/Watched", {
  defaultValue: () => undefined
})
