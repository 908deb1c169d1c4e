/** The port through which notices leave: whatever takes them. */
import type * as Effect from "effect/Effect"
import type { NoticeError } from "../../NoticeError.ts"

/** Takes notices. */
export interface Receiver {
  /** SHA-256 of the address or of the command, which itself may be a secret: the archive knows the receiver by this. */
  readonly id: string
  /** This tells people what it is: the origin of the address, or the name of the command. */
  readonly place: string
  /** Whether its notices name sub-accounts. */
  readonly hasDetails: boolean
  /** Hands a notice over, as JSON. It fails with `Undelivered`, within 22 seconds at most. */
  readonly send: (notice: string) => Effect.Effect<void, NoticeError>
}
