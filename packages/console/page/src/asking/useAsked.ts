/** What the console answered to a question, asked again when something changed. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { useEffect, useState } from "preact/hooks"
import { useDesk } from "../frame/Desk.ts"
import type { Client } from "./Client.ts"
import * as Failure from "./Failure.ts"

/** The answer to a question; it stays while the same question is asked again. */
export interface Asked<A> {
  readonly value: A | undefined
  readonly failure: Failure.Failure | undefined
  readonly isAsking: boolean
}

interface Kept<A> extends Asked<A> {
  readonly question: string
}

const failureOf = (cause: Cause.Cause<Failure.Told>): Failure.Failure => {
  const [first] = cause.reasons
  if (first !== undefined && Cause.isFailReason(first)) return Failure.of(first.error)
  return { _tag: "Refused", message: "This page failed. Reload it." }
}

/** Runs what is asked, and hands over what comes back; the returned function gives it up. */
export const run = <A>(
  asked: Effect.Effect<A, Failure.Told>,
  done: (answer: { readonly value: A } | { readonly failure: Failure.Failure }) => void
): () => void =>
  Effect.runCallback(asked, {
    onExit: (exit) => {
      if (Exit.isSuccess(exit)) done({ value: exit.value })
      else if (!Cause.hasInterruptsOnly(exit.cause)) done({ failure: failureOf(exit.cause) })
    }
  })

/** Asks a question: once for each `question`, and again for each `version`, the mark of what it is about. */
export const useAsked = <A>(
  question: string,
  version: unknown,
  ask: (client: Client) => Effect.Effect<A, Failure.Told>
): Asked<A> => {
  const { client, connection, failed } = useDesk()
  const none: Kept<A> = { question, value: undefined, failure: undefined, isAsking: true }
  const [kept, keep] = useState(none)
  useEffect(() => {
    keep((before) => before.question === question ? { ...before, isAsking: true } : none)
    return run(ask(client), (answer) => {
      if ("failure" in answer) failed(answer.failure)
      keep((before) => ({
        question,
        value: "value" in answer ? answer.value : before.question === question ? before.value : undefined,
        failure: "failure" in answer ? answer.failure : undefined,
        isAsking: false
      }))
    })
  }, [client, question, version, connection.times])
  return kept.question === question ? kept : none
}
