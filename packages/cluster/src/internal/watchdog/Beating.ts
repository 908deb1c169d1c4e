/** A thread says that it is alive, for as long as its event loop turns. */
import * as Pulses from "./Pulses.ts"
import * as Verdict from "./Verdict.ts"

/** The pulse in the data of a thread. It comes from this process, and no schema knows shared memory. */
const pulseOf = (data: unknown): Pulses.Pulse | undefined => {
  if (typeof data !== "object" || data === null || !("pulse" in data)) return undefined
  const { pulse } = data
  return typeof pulse === "object" && pulse !== null && "memory" in pulse && "place" in pulse &&
      pulse.memory instanceof SharedArrayBuffer && typeof pulse.place === "number"
    ? { memory: pulse.memory, place: pulse.place }
    : undefined
}

/** Beats until it is told to stop. It keeps no thread from ending, and asks no clock of Effect: what it tells is that the event loop turns. */
export const begin = (pulse: Pulses.Pulse): () => void => {
  const timer = setInterval(() => Pulses.beat(pulse), Verdict.TICK / 2).unref()
  return () => clearInterval(timer)
}

/** Begins to beat, where the data of the thread has a pulse. */
export const within = (data: unknown): void => {
  const pulse = pulseOf(data)
  if (pulse !== undefined) begin(pulse)
}
