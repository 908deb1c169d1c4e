/**
 * A decision is what a person says of entries. It stands in the archive's ledger for good: nobody edits or removes it, and
 * whoever takes it back writes that down as another decision.
 */
import * as Amount from "@tallystick/core/Amount"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Schema from "effect/Schema"
import * as PersonName from "./PersonName.ts"

/** Why somebody decided so, in a word that can be counted. */
export const Reason = Schema.Literals([
  "fee",
  "rounding",
  "network-mistake",
  "moved-elsewhere",
  "duplicate",
  "test",
  "exchange-error",
  "write-off",
  "other"
])
export type Reason = typeof Reason.Type

/** The ledger's text is hashed as UTF-8, which half of a surrogate pair has no place in. */
const Text = Schema.NonEmptyString.check(
  Schema.makeFilter((text) => text.isWellFormed(), { expected: "text without half a surrogate pair" }),
  Schema.makeFilter((text) => text.trim() !== "", { expected: "text that is not blank" })
)

const Ids = Schema.NonEmptyArray(Text)

const why = {
  reason: Reason.annotateKey({ description: "Why, in a word that can be counted." }),
  words: Text.annotateKey({ description: "Why, in the words of whoever decides." })
}

/** These deposits and these transfers belong together, whatever time and amounts say. */
export const Link = Schema.Struct({ kind: Schema.Literal("link"), deposits: Ids, transfers: Ids, ...why })

/** This deposit and this transfer do not belong together. */
export const Forbid = Schema.Struct({ kind: Schema.Literal("forbid"), deposit: Text, transfer: Text, ...why })

/** This entry is no business of the reconciliation. */
export const Exclude = Schema.Struct({ kind: Schema.Literal("exclude"), side: Entry.Side, id: Text, ...why })

/** This break is known and explained, so that nobody has to care for it any more. */
export const Accept = Schema.Struct({
  kind: Schema.Literal("accept"),
  outcome: Text.annotateKey({
    description: "The whole id of the outcome, as the last execution of the books tells it."
  }),
  provisional: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Accept it although it is not final and may still become something else. Default: false."
  }),
  ...why
})

/** Somebody says something of entries. It changes nothing. */
export const Note = Schema.Struct({
  kind: Schema.Literal("note"),
  entries: Schema.NonEmptyArray(Schema.Struct({ side: Entry.Side, id: Text })),
  words: why.words
})

/** An earlier decision holds no more. What is revoked stays revoked: decide again. */
export const Revoke = Schema.Struct({
  kind: Schema.Literal("revoke"),
  decision: Schema.Int.check(Schema.isGreaterThan(0)).annotateKey({ description: "The number of the decision." }),
  words: why.words
})

/** Another person agrees to a decision that was only proposed, which is followed from then on. */
export const Approve = Schema.Struct({
  kind: Schema.Literal("approve"),
  decision: Revoke.fields.decision,
  words: Schema.optionalKey(Text).annotateKey({ description: "Anything to say of it." })
})

/** How decisions are made in the archive from now on. */
export const Settings = Schema.Struct({
  approvals: Schema.Boolean.annotateKey({
    description: "Decisions are proposed, and not followed until another person approved them."
  }),
  authors: Schema.Literals(["any", "token"]).annotateKey({
    description: "Whose name counts: that of `any` author, or of authors alone who show a `token`."
  })
})
export type Settings = typeof Settings.Type

/** These are the settings of an archive in which nobody set any. */
export const defaults: Settings = { approvals: false, authors: "any" }

/** Says how decisions are made from now on. While decisions are proposed, this is proposed too. */
export const Setting = Schema.Struct({ kind: Schema.Literal("setting"), ...Settings.fields, words: why.words })

/** What somebody wants to decide: an act becomes a decision when the ledger has it. */
export const Act = Schema.Union([Link, Forbid, Exclude, Accept, Note, Revoke, Approve, Setting]).annotate({
  identifier: "Act",
  message: "Expected an act: its kind is link, forbid, exclude, accept, note, revoke, approve or setting"
})
export type Act = typeof Act.Type

/** One of many acts that somebody decides at once: each says why, also an approval. How decisions are made is no such act. */
export const Each = Schema.Union([
  Link,
  Forbid,
  Exclude,
  Accept,
  Note,
  Revoke,
  Schema.Struct({ ...Approve.fields, words: why.words })
]).annotate({
  identifier: "EachAct",
  message: "Expected an act that says why: its kind is link, forbid, exclude, accept, note, revoke or approve"
})
export type Each = typeof Each.Type

export const Kind = Schema.Literals([
  "link",
  "forbid",
  "exclude",
  "accept",
  "note",
  "revoke",
  "approve",
  "setting"
])
export type Kind = typeof Kind.Type

/** An entry as it was when somebody decided. Its decision holds for this content alone. */
export class Subject extends Schema.Opaque<Subject>()(
  Schema.Struct({
    side: Entry.Side,
    id: Text,
    asset: Schema.String,
    amount: Amount.Amount,
    /** Its own time, Unix ms. */
    at: Schema.Int,
    /** The service had told so many other contents under the same identity; absent where it had told none. */
    conflicts: Schema.optionalKey(Schema.Int)
  }).annotate({ identifier: "Subject" })
) {}

/** An entry as it stood in an outcome that somebody accepted. */
export class Accepted extends Schema.Opaque<Accepted>()(
  Schema.Struct({
    ...Subject.fields,
    /** What the policy took the service's status for. */
    status: Entry.Status
  }).annotate({ identifier: "AcceptedEntry" })
) {}

/**
 * How far the name of an author can be trusted: somebody gave it (`claimed`), the operating system did (`os`), or the author
 * showed a token that belongs to it (`token`).
 */
export const Identity = Schema.Literals(["claimed", "os", "token"])
export type Identity = typeof Identity.Type

/** Who decides. */
export const Author = Schema.Struct({ by: Text, identity: Identity })
export type Author = typeof Author.Type

/** Tells whether two names are those of one person: `clerk` and `Clerk ` are. */
export const isSamePerson: (one: string, other: string) => boolean = PersonName.isSame

const common = {
  /** The number of its row in the ledger, from 1 on. The order is that of the numbers; `at` is what a clock claimed. */
  number: Schema.Int.check(Schema.isGreaterThan(0)),
  /** The id of the row before it in the ledger; 64 zeros for the first one. */
  previous: Schema.String,
  /** When it was decided, Unix ms, as the clock of the author's machine claimed. */
  at: Schema.Int,
  ...Author.fields
}

const ruling = <const K extends Kind>(kind: K) =>
  Schema.Struct({
    ...common,
    kind: Schema.Literal(kind),
    /** A link has both sides, a `forbid` one deposit and one transfer, an exclusion one entry. */
    entries: Schema.NonEmptyArray(Subject),
    ...why
  })

/** What the ledger keeps of a decision, word by word. */
export const Body = Schema.Union([
  ruling("link"),
  ruling("forbid"),
  ruling("exclude"),
  Schema.Struct({
    ...common,
    kind: Schema.Literal("accept"),
    /** The id of the outcome, which `Runs.outcome` gives. */
    outcome: Text,
    /** What was accepted: the decision holds for an outcome of which all of this is the same. */
    code: Outcome.Code,
    residual: Outcome.Outcome.fields.residual,
    openCount: Outcome.Outcome.fields.openCount,
    openSum: Outcome.Outcome.fields.openSum,
    /** All entries of the outcome: the deposits, then the transfers, each by time and id. */
    entries: Schema.NonEmptyArray(Accepted),
    /** The outcome was not final. */
    provisional: Schema.optionalKey(Schema.Literal(true)),
    ...why
  }),
  Schema.Struct({
    ...common,
    kind: Schema.Literal("note"),
    entries: Schema.NonEmptyArray(Subject),
    words: why.words
  }),
  Schema.Struct({
    ...common,
    kind: Schema.Literal("revoke"),
    /** The number of the decision that it takes back. */
    decision: Revoke.fields.decision,
    words: why.words
  }),
  Schema.Struct({
    ...common,
    /** The number of the decision that it approves. */
    ...Approve.fields
  }),
  Schema.Struct({ ...common, ...Setting.fields })
])
export type Body = typeof Body.Type

/** A decision, and whether it holds. */
export interface Decision {
  /** SHA-256 of its text in the ledger, 64 hexadecimal digits. */
  readonly id: string
  readonly body: Body
  /** It was only proposed, because the archive asks for approvals: it is followed once it is approved. */
  readonly proposed?: true
  /** The number of the approval by another person, where there is one. */
  readonly approvedBy?: number
  /** The number of the decision that took it back, where one did. */
  readonly revokedBy?: number
}

/** A decision that says how entries are matched. */
export type Ruling = Extract<Body, { readonly kind: "link" | "forbid" | "exclude" }>

export const isRuling = (body: Body): body is Ruling => !isAcceptance(body) && isFollowed(body)

/** A decision that leaves a break as it is. */
export type Acceptance = Extract<Body, { readonly kind: "accept" }>

export const isAcceptance = (body: Body): body is Acceptance => body.kind === "accept"

/** A decision that reports follow. */
export type Followed = Acceptance | Ruling

export const isFollowed = (body: Body): body is Followed => "entries" in body && body.kind !== "note"

/** Tells whether a decision still waits for another person. */
export const isProposed = ({ approvedBy, proposed, revokedBy }: Decision): boolean =>
  proposed === true && approvedBy === undefined && revokedBy === undefined

/** Tells whether a decision counts, or did before it was taken back: one that was only proposed counts from its approval on. */
export const everCounted = ({ approvedBy, proposed }: Decision): boolean =>
  proposed !== true || approvedBy !== undefined

/** Tells whether a decision holds: nobody revoked it, and where it was only proposed somebody approved it. */
export const holds = (decision: Decision): boolean => decision.revokedBy === undefined && !isProposed(decision)

/** The entries that it is about; a revocation, an approval and a setting name none. */
export const subjects = (body: Body): ReadonlyArray<Subject> => "entries" in body ? body.entries : []

/** An approval, and what it would approve. */
export interface OfOneself {
  readonly approval: Decision
  readonly target: Decision
}

/**
 * Gives the approvals that count for nothing although what they would approve still waits, because both are by one person (`isSamePerson`).
 * None is made any more; an earlier version took two spellings of a name for two persons.
 */
export const approvalsOfOneself = (decisions: ReadonlyArray<Decision>): ReadonlyArray<OfOneself> => {
  const waiting = new Map(decisions.filter(isProposed).map((decision) => [decision.body.number, decision]))
  return decisions.flatMap((approval) => {
    const target = approval.body.kind === "approve" ? waiting.get(approval.body.decision) : undefined
    return target !== undefined && approval.body.number > target.body.number &&
        isSamePerson(approval.body.by, target.body.by)
      ? [{ approval, target }]
      : []
  })
}
