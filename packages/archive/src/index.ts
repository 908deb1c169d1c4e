/** Keeps what the exchange forgets: every record, every version of it, and what is known about completeness. */
export * as Archive from "./Archive.ts"
export * as ArchiveError from "./ArchiveError.ts"
export * as Kept from "./Kept.ts"
export * as Stamp from "./Stamp.ts"
export * as Status from "./Status.ts"
export * as Sync from "./Sync.ts"
