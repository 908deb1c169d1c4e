/**
 * When nearness in time decides a pair. The rivals of a pair are the other candidates of its two entries: time decides where they
 * are few, and all of them are much further away.
 */

export interface Rules {
  /** Every rival is more than this many times as far away as the pair; at least 1. */
  readonly ratio: number
  /** The largest number of rivals that the pair may have. */
  readonly rivals: number
}

/** Whether so many rivals are few enough. */
export const areFew = ({ rivals }: Rules, count: number): boolean => count <= rivals

/**
 * Whether a rival at this distance is far enough for a pair with this lag, both without sign. The comparison is strict, and
 * has to stay so: `Certainty.unspanned` proves that a pair is in every optimum only where all rivals are further away than it.
 */
export const isFar = ({ ratio }: Rules, distance: number, lag: number): boolean => distance > ratio * lag
