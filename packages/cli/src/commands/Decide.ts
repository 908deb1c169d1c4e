/** `tallystick decide`: what a person says of entries, appended to the archive's ledger. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const common = {
  by: AuthorFlags.flag,
  seen: Flag.Int("seen").pipe(
    Flag.withMetavar("NUMBER"),
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
    Flag.withDescription(
      "The last decision that you know of: what was decided on the same entries since is a conflict"
    ),
    Flag.optional
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Show what would be decided, and what that would change in reports; decide nothing"),
    Flag.withDefault(false)
  ),
  policy: InputFlags.configured(
    "policy",
    "What may belong together, as reconcile reads it: what it leaves no room for is told at once"
  ),
  accounts: InputFlags.configured("accounts", "With --dry-run: the sub-accounts, as reconcile reads them"),
  addresses: InputFlags.configured("addresses", "With --dry-run: whose a deposit address is, as reconcile reads them"),
  format,
  out,
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

const words = Flag.String("words").pipe(
  Flag.withMetavar("TEXT"),
  Flag.withSchema(Schema.NonEmptyString),
  Flag.withDescription("Why, in your words")
)

/** The reasons of a decision, in the order in which its schema has them, which help does without. */
export const REASONS = [
  "fee",
  "rounding",
  "network-mistake",
  "moved-elsewhere",
  "duplicate",
  "test",
  "exchange-error",
  "write-off",
  "other"
] as const

const why = {
  reason: Flag.Literals("reason", REASONS).pipe(
    Flag.withDescription("Why, in a word that can be counted")
  ),
  words
}

const id = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withSchema(Schema.NonEmptyString), Argument.withDescription(description))

const ENTRY = "A transfer's id, or a deposit's id or transaction"

const handler = () => import("../handlers/Decide.ts")

const link = Command.make(
  "link",
  { entries: id("entry", ENTRY).pipe(Argument.atLeast(2)), ...why, ...common },
  Telemetry.command("decide link", async () => ({ run: (await handler()).link }))
).pipe(
  Command.withShortDescription("Say that deposits and transfers belong together"),
  Command.withDescription(
    "Say that deposits and transfers belong together, any number on both sides, whatever their times and amounts. Reports state " +
      "them as linked from then on, and say by whom."
  ),
  Command.withExamples([
    {
      command: "tallystick decide link 0x9c41 1374112877 --reason fee --words 'the sweeper paid 0.0012'",
      description: "A deposit's transaction and a transfer's id"
    }
  ])
)

const forbid = Command.make(
  "forbid",
  { entries: id("entry", ENTRY).pipe(Argument.between(2, 2)), ...why, ...common },
  Telemetry.command("decide forbid", async () => ({ run: (await handler()).forbid }))
).pipe(
  Command.withShortDescription("Say that a deposit and a transfer do not belong together"),
  Command.withDescription(
    "Say that a deposit and a transfer do not belong together. No report pairs them any more, also not as members of a group."
  ),
  Command.withExamples([
    {
      command: "tallystick decide forbid 0x9c41 1374112877 --reason other --words 'another customer'",
      description: "Both may be matched otherwise"
    }
  ])
)

const exclude = Command.make(
  "exclude",
  { entry: id("entry", ENTRY), ...why, ...common },
  Telemetry.command("decide exclude", async () => ({ run: (await handler()).exclude }))
).pipe(
  Command.withShortDescription("Say that an entry is no business of the reconciliation"),
  Command.withDescription(
    "Say that an entry is no business of the reconciliation. Reports set it aside as excluded, and say by whom."
  ),
  Command.withExamples([
    {
      command: "tallystick decide exclude 1374112877 --reason test --words 'a test of ours'",
      description: "It counts no more"
    }
  ])
)

const accept = Command.make(
  "accept",
  {
    name: id("id", "An item, an outcome, or one of its entries: the whole id or its beginning"),
    provisional: Flag.Boolean("provisional").pipe(
      Flag.withDescription("Accept it although it is not final, and may still become something else"),
      Flag.withDefault(false)
    ),
    ...why,
    ...common
  },
  Telemetry.command("decide accept", async () => ({ run: (await handler()).accept }))
).pipe(
  Command.withShortDescription("Say that a break is known and explained"),
  Command.withDescription(
    "Say that a break is known and explained. Reports keep its code, say who accepted it and why, set its entries aside, and " +
      "are clean without it. What is accepted is the outcome that the books have; once anything of it changes it is open again, and " +
      "reports say so."
  ),
  Command.withExamples([
    {
      command: "tallystick decide accept 1374112877 --reason write-off --words 'lost on a wrong network, ticket 4711'",
      description: "The break in which this transfer stands"
    }
  ])
)

const note = Command.make(
  "note",
  { entries: id("entry", ENTRY).pipe(Argument.atLeast(1)), words, ...common },
  Telemetry.command("decide note", async () => ({ run: (await handler()).note }))
).pipe(
  Command.withShortDescription("Write something down about entries"),
  Command.withDescription(
    "Write something down about entries. It changes no report; tallystick decisions --of shows it."
  ),
  Command.withExamples([
    {
      command: "tallystick decide note 0x9c41 --words 'asked the exchange, ticket 4711'",
      description: "For the next who looks"
    }
  ])
)

const revoke = Command.make(
  "revoke",
  {
    decision: Argument.Int("number").pipe(
      Argument.withDescription("Of the decision, as tallystick decisions lists it")
    ),
    words,
    ...common
  },
  Telemetry.command("decide revoke", async () => ({ run: (await handler()).revoke }))
).pipe(
  Command.withShortDescription("Take a decision back"),
  Command.withDescription(
    "Take a decision back. Both stay in the ledger; what is revoked holds no more, and cannot be brought back but by deciding again."
  ),
  Command.withExamples([
    { command: "tallystick decide revoke 12 --words 'the wrong transfer'", description: "From the next report on" }
  ])
)

const approve = Command.make(
  "approve",
  {
    decision: Argument.Int("number").pipe(
      Argument.withDescription("Of the decision, as tallystick decisions lists it")
    ),
    words: words.pipe(Flag.optional),
    ...common
  },
  Telemetry.command("decide approve", async () => ({ run: (await handler()).approve }))
).pipe(
  Command.withShortDescription("Agree to what another person proposed"),
  Command.withDescription(
    "Agree to a decision that another person proposed, because the archive asks for approvals (archive setting). Reports follow it from " +
      "then on. It is refused where anything of what was decided on is not as it was, and nobody approves a decision of their own."
  ),
  Command.withExamples([{ command: "tallystick decide approve 12", description: "From the next report on" }])
)

const flags = {
  file: FileFlag.make("file").pipe(
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription("Many decisions, a line of JSON each, all of them or none; - is stdin"),
    Flag.optional
  ),
  ...common
}

export const command = Command.make(
  "decide",
  flags,
  Telemetry.command("decide", async () => ({ run: (await handler()).file }))
).pipe(
  Command.withDescription(
    "Decide about entries of the archive: link, forbid, exclude, accept, write a note, take a decision back, or approve one. Each decision is appended " +
      "to the archive's ledger with its author, time and reason; nothing in the ledger is ever changed. Reports from the archive " +
      "follow the decisions that hold. What contradicts one of them is refused until that is revoked."
  ),
  Command.withExamples([
    { command: "tallystick decide --file decisions.ndjson --by clerk", description: "All lines, or none of them" },
    { command: "tallystick decide --file decisions.ndjson --dry-run", description: "Says what they would change" }
  ]),
  Command.withSubcommands([link, forbid, exclude, accept, note, revoke, approve])
)
