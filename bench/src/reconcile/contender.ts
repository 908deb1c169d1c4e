/** One contender in a process of its own. Its processor time counts from when its modules are loaded. */
import { openSync } from "node:fs"
import type { Book } from "./Book.ts"

export type Name = "parse and write" | "tallystick, library" | "DuckDB" | "Polars" | "greedy"

interface Contender {
  readonly run: (task: Task) => Promise<void> | void
}

const loaders: Readonly<Record<Name, () => Promise<Contender>>> = {
  "parse and write": () => import("../contenders/Rewrite.ts"),
  "tallystick, library": () => import("../contenders/Library.ts"),
  DuckDB: () => import("../contenders/DuckDb.ts"),
  Polars: () => import("../contenders/Polars.ts"),
  greedy: () => import("../contenders/Greedy.ts")
}

export interface Plan {
  readonly name: Name
  /** Without its truth. */
  readonly book: Book
  /** The file that gets a line an outcome. */
  readonly out: string
}

export interface Task extends Plan {
  /** The same file, open. */
  readonly output: number
}

const plan: Plan = JSON.parse(process.argv[2] ?? "{}")
const contender = await loaders[plan.name]()
const events: NodeJS.EventEmitter = process
events.emit("bench:loaded")
await contender.run({ ...plan, output: openSync(plan.out, "w") })
