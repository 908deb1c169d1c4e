/** Everyone by name. A process loads only the one that it runs, so that none pays for another's memory or start. */
import type { Contender } from "../Contender.ts"

const loaders = {
  tallystick: () => import("./Tallystick.ts").then(({ tallystick }) => tallystick),
  "DuckDB ASOF JOIN": () => import("./DuckDb.ts").then(({ asof }) => asof),
  "DuckDB one-to-one": () => import("./DuckDb.ts").then(({ oneToOne }) => oneToOne),
  "polars joinAsof": () => import("./Polars.ts").then(({ polarsAsof }) => polarsAsof),
  "nested loop": () => import("./NestedLoop.ts").then(({ nestedLoop }) => nestedLoop),
  "JSON.parse": () => import("./Decoding.ts").then(({ jsonParse }) => jsonParse),
  "tallystick, JIT on": () => import("./Decoding.ts").then(({ ours }) => ours),
  "tallystick, JIT on, exact amounts": () => import("./Decoding.ts").then(({ oursExact }) => oursExact),
  "zod 4": () => import("./Decoding.ts").then(({ zod }) => zod),
  "equal amounts, 100,000 + 100,000": () => import("./Kernel.ts").then(({ exactClass }) => exactClass),
  "unlike amounts, 20,000 entries, 400,000 pairs": () =>
    import("./Kernel.ts").then(({ sparseAssignment }) => sparseAssignment)
} satisfies Readonly<Record<string, () => Promise<Contender>>>

export type Name = keyof typeof loaders

export const matching = [
  "tallystick",
  "DuckDB ASOF JOIN",
  "DuckDB one-to-one",
  "polars joinAsof",
  "nested loop"
] as const

export const decoding = ["JSON.parse", "tallystick, JIT on", "tallystick, JIT on, exact amounts", "zod 4"] as const

export const kernel = ["equal amounts, 100,000 + 100,000", "unlike amounts, 20,000 entries, 400,000 pairs"] as const

export const load = (name: Name): Promise<Contender> => loaders[name]()
