/** What the console answers has everything that the archive tells, and nothing else: a field that a schema lacks would be lost. */
import type * as Candidate from "@tallystick/archive/Candidate"
import type * as Decision from "@tallystick/archive/Decision"
import type * as Decisions from "@tallystick/archive/Decisions"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import type * as Period from "@tallystick/archive/Period"
import type * as RunDiff from "@tallystick/archive/RunDiff"
import { expectTypeOf } from "vitest"
import type * as Entries from "../src/internal/api/Entries.ts"
import type * as EntriesApi from "../src/internal/api/EntriesApi.ts"
import type * as PeriodsApi from "../src/internal/api/PeriodsApi.ts"
import type * as RunsApi from "../src/internal/api/RunsApi.ts"

/** All keys at every depth count: a plain comparison of types would take an optional field that is lacking for none. */
type Written<A> = A extends ReadonlyArray<infer B> ? ReadonlyArray<Written<B>>
  : A extends object ? { readonly [K in keyof A]: Written<A[K]> }
  : A

expectTypeOf<Written<typeof Entries.EntryState.Type>>().toEqualTypeOf<Written<OpenItem.EntryState>>()
expectTypeOf<Written<typeof Entries.WithoutEntries.Type>>().toEqualTypeOf<Written<OpenItem.WithoutEntries>>()
expectTypeOf<Written<typeof Entries.Decided.Type>>().toEqualTypeOf<Written<Decision.Decision>>()
expectTypeOf<Written<typeof Entries.Story.Type>>().toEqualTypeOf<Written<OpenItem.Story>>()
expectTypeOf<Written<typeof Entries.Judgement.Type>>().toEqualTypeOf<Written<Period.Judgement>>()
expectTypeOf<Written<typeof Entries.Stand.Type>>().toEqualTypeOf<Written<RunDiff.Stand>>()
expectTypeOf<Written<typeof Entries.Head.Type>>().toEqualTypeOf<Written<Decisions.Head>>()
expectTypeOf<Written<typeof RunsApi.Diff.Type>>().toEqualTypeOf<Written<RunDiff.RunDiff>>()
expectTypeOf<Written<typeof PeriodsApi.Period.Type>>().toEqualTypeOf<Written<Period.Period>>()
expectTypeOf<Written<typeof EntriesApi.Candidates.Type>>().toEqualTypeOf<Written<Candidate.Candidates>>()
