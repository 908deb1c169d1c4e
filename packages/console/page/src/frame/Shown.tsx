/** Shows an answer, or why there is none: it is still being asked for, or something failed. */
import type { ComponentChildren } from "preact"
import * as Failure from "../asking/Failure.ts"
import type { Asked } from "../asking/useAsked.ts"

interface Props<A> {
  readonly asked: Asked<A>
  /** What is asked for: `The decisions`. */
  readonly what: string
  readonly children: (value: A) => ComponentChildren
}

export function Shown<A>({ asked, children, what }: Props<A>) {
  const { failure, value } = asked
  const isTold = failure !== undefined && (value === undefined || failure._tag !== "Gone")
  return (
    <>
      {isTold ? <p role="alert" class="trouble">{Failure.words(failure)}</p> : null}
      {value === undefined ? null : children(value)}
      {value === undefined && failure === undefined
        ? <p class="empty" role="status">{what} are being read.</p>
        : null}
    </>
  )
}
