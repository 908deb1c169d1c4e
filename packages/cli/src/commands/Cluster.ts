/** `tallystick cluster`: reconciliations as jobs that several machines share. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import * as BookFlags from "../flags/BookFlags.ts"
import * as FailOnFlag from "../flags/FailOnFlag.ts"
import * as Fallback from "../flags/Fallback.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import * as NotifyFlags from "../flags/NotifyFlags.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as ReportFlags from "../flags/ReportFlags.ts"
import * as SyncFlags from "../flags/SyncFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const place = (name: string) => Flag.String(name).pipe(Flag.withMetavar("HOST:PORT"))

const runnerFlags = {
  address: place("address").pipe(
    Flag.withDescription("Where the other runners reach this one; a port alone is one of this machine")
  ),
  listen: place("listen").pipe(
    Flag.withDescription("Where it listens, if that is another address than the others reach"),
    Flag.optional
  ),
  threads: Flag.Int("threads").pipe(
    Flag.withMetavar("N"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 64 }))),
    Flag.withDescription("Do so many jobs at a time, each in a thread of its own"),
    Fallback.value(1)
  ),
  keepDays: Flag.Int("keep-days").pipe(
    Flag.withMetavar("N"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 36_500 }))),
    Flag.withDescription("Forget a job so many days after it ended; the books keep what it did"),
    Fallback.value(90)
  ),
  sync: Flag.Boolean("sync").pipe(
    Flag.withDescription(
      "Also read the exchange into the archive, as tallystick sync --watch does: one runner of those with this flag does, and another one " +
        "within 15 seconds where it is lost"
    ),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  ...SyncFlags.ofRunner,
  ...NotifyFlags.ofRunner
}

const runner = Command.make(
  "runner",
  runnerFlags,
  Telemetry.command("cluster runner", () => import("../handlers/ClusterRunner.ts"))
).pipe(
  Command.withShortDescription("Do jobs until Ctrl-C, together with other runners"),
  Command.withDescription(
    "Do jobs until Ctrl-C, together with other runners of the same database (TALLYSTICK_DATABASE_URL). If one is lost, another one does " +
      "what it did from its beginning, and the books are brought forward once. Runners talk over TCP without encryption and without a password: " +
      "let nobody but them reach these ports (docs/cluster.md). Only with --sync it uses a key of the exchange."
  ),
  Command.withExamples([
    { command: "tallystick cluster runner --address 7401", description: "The first one on this machine" },
    { command: "tallystick cluster runner --address 10.0.0.5:7401", description: "One of several machines" },
    {
      command: "tallystick cluster runner --address 10.0.0.5:7401 --sync --accounts accounts.json",
      description: "One of those of which one reads the exchange"
    }
  ])
)

const { day, from, since, to, zone } = RangeFlags.flags

const reconcileFlags = {
  day,
  from,
  to,
  since,
  zone,
  policy: InputFlags.flags.policy,
  accounts: InputFlags.flags.accounts,
  addresses: InputFlags.flags.addresses,
  declare: BookFlags.flags.declare,
  noCarry: BookFlags.flags.noCarry,
  by: AuthorFlags.flag.pipe(
    Flag.withDescription("Who brings the books forward; without it, the user that the operating system names")
  ),
  detach: Flag.Boolean("detach").pipe(
    Flag.withDescription("Print the id of the job and do not wait for it"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  ...ReportFlags.flags,
  failOn: FailOnFlag.flag
}

const reconcile = Command.make(
  "reconcile",
  reconcileFlags,
  Telemetry.command("cluster reconcile", () => import("../handlers/ClusterReconcile.ts"))
).pipe(
  Command.withShortDescription("Let a runner bring the books forward, and print the report"),
  Command.withDescription(
    "Let a runner do what tallystick reconcile --archive --book does, and print the report when it is done. Ctrl-C leaves the job running. The " +
      "same question about the same records is the same job, whoever asks: it is done once."
  ),
  Command.withExamples([
    {
      command: "tallystick cluster reconcile --day yesterday --accounts accounts.json --addresses addresses.json",
      description: "The evening's run"
    }
  ])
)

const name = Argument.String("name").pipe(
  Argument.withSchema(Schema.NonEmptyString),
  Argument.withDescription("The name of the schedule")
)

const schedule = Command.make(
  "schedule",
  {
    name,
    from: Flag.String("from").pipe(
      Flag.withMetavar("DAY"),
      Flag.withDescription(
        "The first day, in --zone: 2026-11-19, today or yesterday; without it today, or that of the schedule that is replaced"
      ),
      Flag.optional
    ),
    zone: zone.pipe(Flag.withDescription("The zone whose business days they are")),
    policy: InputFlags.flags.policy,
    accounts: InputFlags.flags.accounts,
    addresses: InputFlags.flags.addresses,
    prices: ReportFlags.flags.prices.pipe(
      Flag.withDescription("The prices that the books keep of each day, until the schedule is set again")
    ),
    pricesIn: ReportFlags.flags.pricesIn,
    by: AuthorFlags.flag.pipe(
      Flag.withDescription("Who brings the books forward; without it, the user that the operating system names")
    )
  },
  Telemetry.command("cluster schedule", () => import("../handlers/ClusterSchedule.ts"))
).pipe(
  Command.withShortDescription("Let runners bring the books forward day by day"),
  Command.withDescription(
    "Let runners do what tallystick cluster reconcile --day does, for each business day, once, and in order: as soon as what was read passes the " +
      "end of the day by as much as the policy looks around it. The files are read now and kept. A schedule with this name is replaced, and " +
      "goes on behind the days that were begun. tallystick cluster status tells where it stands."
  ),
  Command.withExamples([
    {
      command:
        "tallystick cluster schedule desk --zone Europe/Berlin --accounts accounts.json --addresses addresses.json",
      description: "Each day from today on"
    }
  ])
)

const unschedule = Command.make(
  "unschedule",
  { name },
  Telemetry.command("cluster unschedule", () => import("../handlers/ClusterUnschedule.ts"))
).pipe(
  Command.withShortDescription("Remove a schedule"),
  Command.withDescription("Remove a schedule. A job that it submitted goes on, and what was booked stays.")
)

const id = Argument.String("job").pipe(
  Argument.withSchema(Schema.NonEmptyString),
  Argument.withDescription("The id of a job, or how it begins")
)

const status = Command.make(
  "status",
  {
    job: id.pipe(Argument.optional),
    limit: Flag.Int("limit").pipe(
      Flag.withMetavar("N"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))),
      Flag.withDescription("The last so many"),
      Fallback.value(20)
    ),
    format,
    out,
    zone
  },
  Telemetry.command("cluster status", () => import("../handlers/ClusterStatus.ts"))
).pipe(
  Command.withShortDescription("List the jobs, the runners and the schedules, or tell of one job"),
  Command.withDescription(
    "List the jobs that were submitted last, the runners that were there in the last ten seconds, which of them reads the exchange and how " +
      "far, and where the schedules stand; or tell of one job."
  )
)

const cancel = Command.make(
  "cancel",
  { job: id },
  Telemetry.command("cluster cancel", () => import("../handlers/ClusterCancel.ts"))
).pipe(
  Command.withShortDescription("End a job that is not done"),
  Command.withDescription(
    "End a job that is not done: one that no runner has at once, and one that is under way within seconds. What was booked before that stays, and " +
      "the job is then done."
  )
)

export const command = Command.make("cluster").pipe(
  Command.withDescription("Reconciliations as jobs that several machines share, over the PostgreSQL of the archive"),
  Command.withSubcommands([runner, reconcile, schedule, unschedule, status, cancel])
)
