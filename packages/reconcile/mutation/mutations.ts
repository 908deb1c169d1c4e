/**
 * The rules of the matching engine, each with a way to disable it. A test suite is worth what it notices: `run.ts` disables
 * one rule at a time in a copy of the sources, and some test has to fail each time.
 *
 * A rule that is not in the list is not known to be tested. Whoever adds one to the engine adds it here, with the narrowest
 * test files that notice. What cannot be noticed, because it only saves work or another rule says the same, does not belong
 * here. The suite checks that every text still stands in its file exactly once, so that the list follows the sources.
 */
import { assigning } from "./Assigning.ts"
import { candidates } from "./Candidates.ts"
import { finality } from "./Finality.ts"
import { lastLook } from "./LastLook.ts"
import { leftovers } from "./Leftovers.ts"
import type { Mutation } from "./Mutation.ts"
import { pasts } from "./Pasts.ts"
import { reporting } from "./Reporting.ts"
import { streaming } from "./Streaming.ts"
import { summing } from "./Summing.ts"
import { unread } from "./Unread.ts"

export const mutations: ReadonlyArray<Mutation> = [
  ...assigning,
  ...summing,
  ...candidates,
  ...leftovers,
  ...lastLook,
  ...finality,
  ...unread,
  ...pasts,
  ...streaming,
  ...reporting
]
