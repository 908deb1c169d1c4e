/** What every screen has at hand: the console, the person in front of it, the zone, and how the archive stands. */
import type * as Times from "@tallystick/report/text/Times"
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { News } from "../../../src/internal/api/EventsApi.ts"
import type * as Person from "../../../src/Person.ts"
import type { Client } from "../asking/Client.ts"
import type { Failure } from "../asking/Failure.ts"

export type Marks = Extract<News, { readonly event: "marks" }>["data"]

export interface Connection {
  readonly isHere: boolean
  /** So often it was made anew: what failed meanwhile is asked again. */
  readonly times: number
}

/** One thing that somebody did in this session, and may take back. */
export interface Action {
  /** `Accepted 12 items`. */
  readonly words: string
  readonly decisions: ReadonlyArray<{ readonly number: number; readonly about: string }>
}

export interface Desk {
  readonly client: Client
  readonly person: Person.Person
  /** Whether the person may decide here, and close. */
  readonly mayDecide: boolean
  readonly mayApprove: boolean
  readonly times: Times.Times
  /** Undefined until the first news. */
  readonly marks: Marks | undefined
  readonly connection: Connection
  /** What was done in this session and still holds, the last one first. */
  readonly log: ReadonlyArray<Action>
  readonly setLog: (change: (log: ReadonlyArray<Action>) => ReadonlyArray<Action>) => void
  /** Hears of everything that failed. */
  readonly failed: (failure: Failure) => void
}

export const Desk = createContext<Desk | undefined>(undefined)

export const useDesk = (): Desk => {
  const desk = useContext(Desk)
  if (desk === undefined) throw new Error("There is no desk around this screen.")
  return desk
}
