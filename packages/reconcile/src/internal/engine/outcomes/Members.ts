/** The members of an outcome that states no pair. */
import type { Workbench } from "../Workbench.ts"

interface Members {
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
}

/** Ties members to each other: what becomes of one was decided with a look at the others. */
export const tie = ({ ties }: Workbench, { deposits, transfers }: Members): void => {
  const [deposit, transfer] = [deposits[0], transfers[0]]
  if (deposit === undefined || transfer === undefined) return
  for (const other of deposits) ties.across(other, transfer)
  for (const other of transfers) ties.across(deposit, other)
}
