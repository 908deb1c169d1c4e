/** What makes two submissions the same job: what is asked, what the archive holds of the time that is read, and the version of the code. */
import * as Archive from "@tallystick/archive/Archive"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import * as Question from "../../Question.ts"
import { Version } from "../Version.ts"
import type { Asked } from "./JobTable.ts"

const digest = (...texts: ReadonlyArray<string>): string =>
  createHash("sha256").update(texts.map((text) => `${text.length}:${text}`).join("")).digest("hex")

const encode = Schema.encodeSync(Schema.fromJsonString(Question.Question))

/** Whoever asks, it is the same question. */
const ANYBODY = { by: "anybody", identity: "claimed" } as const

/** A run reads so many times as far around its range as the policy looks, before it reads on. */
const AROUND = 2

export const of = Effect.fnUntraced(function*(question: Question.Question) {
  const archive = yield* Archive.Archive
  const version = yield* Version
  const { from, to } = question.range
  const wide = AROUND * Policy.horizon(question.policy)
  const asked = digest(encode({ ...question, author: ANYBODY }))
  const stand = digest(version, yield* archive.controls({ from: Math.max(from - wide, 0), to: to + wide }))
  const { id, number } = yield* archive.ledgerEnd
  return { id: digest(asked, stand, `${number}@${id}`), asked, stand, version, question } satisfies Asked
})
