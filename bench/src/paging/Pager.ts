/** Whoever reads all pages of the paging server, by name. A process loads only the one that it runs. */
import type { Service } from "./Service.ts"

/** Reads everything in so many lanes; returns the number of records. */
export type Read = (lanes: number) => Promise<number>

export interface Pager {
  readonly prepare: (service: Service) => Promise<Read> | Read
}

const tallystick = () => import("../contenders/TallystickPages.ts")
const ccxt = () => import("../contenders/CcxtPages.ts")

const loaders = {
  "undici + JSON.parse": () => import("../contenders/UndiciPages.ts").then(({ undiciPages }) => undiciPages),
  "ccxt, JSON": () => ccxt().then(({ raw }) => raw),
  "ccxt, parsed": () => ccxt().then(({ parsed }) => parsed),
  "tallystick scan, fetch": () => tallystick().then(({ scan }) => scan("fetch")),
  "tallystick scan, undici": () => tallystick().then(({ scan }) => scan("undici")),
  "tallystick scan, node:http": () => tallystick().then(({ scan }) => scan("node:http")),
  "tallystick pages, fetch": () => tallystick().then(({ pages }) => pages("fetch")),
  "tallystick pages, undici": () => tallystick().then(({ pages }) => pages("undici")),
  "tallystick pages, node:http": () => tallystick().then(({ pages }) => pages("node:http"))
} satisfies Readonly<Record<string, () => Promise<Pager>>>

export type Name = keyof typeof loaders

export const names: ReadonlyArray<Name> = [
  "undici + JSON.parse",
  "ccxt, JSON",
  "ccxt, parsed",
  "tallystick scan, fetch",
  "tallystick scan, undici",
  "tallystick scan, node:http",
  "tallystick pages, fetch",
  "tallystick pages, undici",
  "tallystick pages, node:http"
]

export const load = (name: Name): Promise<Pager> => loaders[name]()
