/** The merge decides what a reading means for kept records: some are new, some changed, some conflict, some have vanished. */
import * as Struct from "effect/Struct"
import type * as ArchivedRecord from "../../ArchivedRecord.ts"
import * as FileWord from "./FileWord.ts"

/** A stored record is what its row tells. */
export interface Stored<out Record> extends ArchivedRecord.Version<Record> {
  readonly id: string
  /** The query of this number showed it; 0 stands for everything of the operation, or an unknown query. */
  readonly query: number
  readonly vanishedAt: number | null
  /** The number of rows of `versions` that belong to it. */
  readonly history: number
}

/** This is a row of `versions`. */
export interface Past<out Record> extends ArchivedRecord.Version<Record> {
  readonly id: string
  /** Numbers begin with 1. */
  readonly number: number
  /**
   * `version` is what the record was before, `conflict` another movement under the same identity; `vanished` says that it was
   * gone since `seenAt`, and came back.
   */
  readonly kind: "version" | "conflict" | "vanished"
}

/** The rules say how records are compared. */
export interface Rules<Record> extends FileWord.Rules<Record> {
  /** Gives the identity of a record: two records of one identity are the same, true twins aside. */
  readonly identity: (record: Record) => string
  /**
   * `same`: records of one identity are one record, and the identity is the id of its row. `several`: one response may show
   * several records of one identity, and each of them is kept. They all have the same time, and equal records have the same
   * identity.
   */
  readonly twins: "same" | "several"
  /** Tells whether two records of one identity differ only in what may change: their status and confirmations. */
  readonly isSameMovement: (a: Record, b: Record) => boolean
  readonly equals: (a: Record, b: Record) => boolean
}

/** A source showed these records. */
export interface Shown<out Record> {
  readonly records: ReadonlyArray<Record>
  /** The source was seen at this time, Unix ms; it is undefined for an import that does not say. */
  readonly seenAt: number | undefined
  readonly imported: boolean
  readonly query: number
  /**
   * Gives the time at which a complete reading was made of a time, if it was: a known record that is not among `records` has
   * vanished.
   */
  readonly completeAt?: (time: number) => number | undefined
}

/**
 * An addition is a row that is not there yet. Where twins are several its id follows from `ordinal`, which counts them from 1.
 */
export interface Addition<out Record> extends Stored<Record> {
  readonly ordinal: number
}

export interface Plan<out Record> {
  readonly added: ReadonlyArray<Addition<Record>>
  /** These rows take the place of those with the same ids. */
  readonly updated: ReadonlyArray<Stored<Record>>
  readonly past: ReadonlyArray<Past<Record>>
  readonly changed: number
  readonly vanished: number
  /** So many records had vanished and were shown again. */
  readonly returned: number
}

const grouped = <A, Key>(list: ReadonlyArray<A>, key: (one: A) => Key): Map<Key, Array<A>> => {
  const groups = new Map<Key, Array<A>>()
  for (const one of list) {
    const name = key(one)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [one])
    else group.push(one)
  }
  return groups
}

/**
 * Plans what changes. `stored` holds every kept record that shares an identity with a shown one, and those of whose time
 * `completeAt` speaks; `past` holds all rows of `versions` of these records.
 */
export const plan = <Record>(
  rules: Rules<Record>,
  stored: ReadonlyArray<Stored<Record>>,
  past: ReadonlyArray<Past<Record>>,
  shown: Shown<Record>
): Plan<Record> => {
  const pastOf = grouped(past, ({ id }) => id)
  const added: Array<Addition<Record>> = []
  const updated = new Map<string, Stored<Record>>()
  const seen = new Set<string>()
  const written: Array<Past<Record>> = []
  let changed = 0
  let returned = 0
  let vanished = 0

  const create = (id: string, record: Record, ordinal: number): Addition<Record> => ({
    id,
    ordinal,
    record,
    seenAt: shown.seenAt ?? rules.at(record),
    imported: shown.imported,
    query: shown.query,
    vanishedAt: null,
    history: 0
  })

  const keep = (
    row: Stored<Record>,
    kind: Past<Record>["kind"],
    version: ArchivedRecord.Version<Record>
  ): Stored<Record> => {
    const { imported, lastSeenAt, record, seenAt } = version
    const history = row.history + 1
    const entry: Past<Record> = {
      id: row.id,
      number: history,
      kind,
      record,
      seenAt,
      ...(lastSeenAt === undefined ? {} : { lastSeenAt }),
      imported
    }
    written.push(entry)
    pastOf.set(row.id, [...pastOf.get(row.id) ?? [], entry])
    return { ...row, history }
  }

  /** Gives the row after one more record was shown for it. */
  const apply = (row: Stored<Record>, record: Record): Stored<Record> => {
    const { imported } = shown
    const isSame = rules.equals(row.record, record)
    const isNothing = imported ? row.imported || row.history === 0 : !row.imported
    if (isSame && row.vanishedAt === null && isNothing) return row
    const version = { record, imported, seenAt: shown.seenAt ?? rules.at(record) }
    const isKept =
      pastOf.get(row.id)?.some((entry) =>
        entry.kind === "version" && entry.imported === imported && rules.equals(entry.record, record) &&
        // The same word of another time is another word: the service may have said otherwise by then.
        (!imported || entry.seenAt === version.seenAt)
      ) ?? false

    /** Tells whether a file gives the present status for a time when the service showed another one. */
    const isEarly = (): boolean => {
      const told = (pastOf.get(row.id) ?? []).filter(({ imported, kind }) => kind === "version" && !imported)
      return imported && !row.imported && FileWord.differs(rules, [...told, row, version])
    }

    if (!isSame && !rules.isSameMovement(row.record, record)) {
      // The service is right against a file: the file's content is the one that contradicts.
      const corrects = row.imported && !imported
      const other: ArchivedRecord.Version<Record> = corrects ? row : version
      const known = pastOf.get(row.id) ?? []
      if (known.some(({ kind, record }) => kind === "conflict" && rules.equals(record, other.record))) {
        return corrects ? { ...row, ...version, query: shown.query } : row
      }
      changed++
      return { ...keep(row, "conflict", other), ...corrects ? { ...version, query: shown.query } : {} }
    }
    const { vanishedAt } = row
    const isBack = vanishedAt !== null && !imported && version.seenAt > vanishedAt
    if (isBack) returned++
    const present = !isBack
      ? row
      : { ...keep(row, "vanished", { ...row, seenAt: vanishedAt }), vanishedAt: null }
    const confirmed = row.imported && !imported
    if (isSame && !isEarly()) {
      return confirmed ? { ...present, ...version, query: shown.query } : present
    }
    // The clocks of two processes may differ a little. A status that had ended before would have been kept when it was shown,
    // so it ended now.
    const hasEndedNow = !imported && !row.imported && rules.hasEnded(record) && !rules.hasEnded(row.record) && !isKept
    // A file replaces files only. Its word about a record that the service showed is kept beside that.
    const isNewer = confirmed || hasEndedNow || (imported
      ? row.imported && shown.seenAt !== undefined && shown.seenAt > row.seenAt
      : version.seenAt >= row.seenAt)
    if (!isNewer && isKept) return present
    changed++
    if (!isNewer) return keep(present, "version", version)
    return {
      ...Struct.omit(keep(present, "version", row), ["lastSeenAt"]),
      ...version,
      ...(hasEndedNow ? { seenAt: Math.max(version.seenAt, row.seenAt) } : {}),
      query: confirmed ? shown.query : row.query
    }
  }

  /** Tells whether the service shows the record later than ever before, and its status may still change. */
  const isAgain = (row: Stored<Record>, record: Record): boolean =>
    !shown.imported && !row.imported && !rules.hasEnded(record) && rules.equals(row.record, record) &&
    (shown.seenAt ?? 0) > (row.lastSeenAt ?? row.seenAt)

  const show = (row: Stored<Record>, record: Record): void => {
    seen.add(row.id)
    const before = updated.get(row.id) ?? row
    const after = apply(before, record)
    if (after !== before) updated.set(row.id, after)
    else if (isAgain(before, record)) updated.set(row.id, { ...before, lastSeenAt: shown.seenAt ?? before.seenAt })
  }

  const showSame = (): void => {
    const rows = new Map(stored.map((row) => [row.id, row]))
    const created = new Map<string, Addition<Record>>()
    for (const record of shown.records) {
      const id = rules.identity(record)
      const row = rows.get(id)
      const twice = created.get(id)
      if (row !== undefined) show(row, record)
      else created.set(id, twice === undefined ? create(id, record, 1) : { ...apply(twice, record), ordinal: 1 })
    }
    for (const row of created.values()) added.push(row)
  }

  /**
   * Twins may stand on two pages, so only a source that shows all of them can distinguish a twin that stepped back from another
   * one.
   */
  const isWhole = (record: Record): boolean => shown.imported || shown.completeAt?.(rules.at(record)) !== undefined

  /** Gives what the service showed for a row, the present last. */
  const told = (row: Stored<Record>): ReadonlyArray<ArchivedRecord.Version<Record>> => [
    ...(pastOf.get(row.id) ?? []).filter(({ imported, kind }) => kind === "version" && !imported)
      .toSorted((a, b) => a.seenAt - b.seenAt),
    row
  ]

  /** Gives what a row was when the source was seen, as far as is known: a reading may be older than what is kept by now. */
  const recordThen = (row: Stored<Record>): Record => {
    const { seenAt } = shown
    if (seenAt === undefined || row.seenAt <= seenAt) return row.record
    const all = told(row)
    return (all.findLast((version) => version.seenAt <= seenAt) ?? all[0] ?? row).record
  }

  /** Whether a record that had ended in this reading is another one: the row had not ended, or ended otherwise, after it. */
  const isAnother = (row: Stored<Record>): boolean => {
    const at = shown.seenAt ?? Number.POSITIVE_INFINITY
    return row.seenAt > at ||
      told(row).some(({ lastSeenAt, record, seenAt }) =>
        !rules.hasEnded(record) && Math.max(seenAt, lastSeenAt ?? 0) > at
      )
  }

  /**
   * Shows twins to their rows: those that have not changed stay who they were, and of those that have ended the ones that ended
   * first. In a reading that is older than what is kept, the others are what they were then. A record that is none of these
   * changed: one that had not ended before one that had, because that does not change any more.
   */
  const showTwins = (twins: ReadonlyArray<Stored<Record>>, records: ReadonlyArray<Record>): void => {
    const free = new Set(twins.toSorted((a, b) => a.seenAt - b.seenAt))
    const shownTo = (known: (row: Stored<Record>) => Record) => (record: Record): boolean => {
      const same = Array.from(free).find((twin) => rules.equals(known(twin), record))
      if (same === undefined) return true
      free.delete(same)
      show(same, record)
      return false
    }
    const rest = records.filter(shownTo(({ record }) => record)).filter(shownTo(recordThen))
    if (rest.length === 0) return
    const hasEnded = ({ record }: Stored<Record>): boolean => rules.hasEnded(record)
    const open = [...free].toSorted((a, b) => Number(hasEnded(a)) - Number(hasEnded(b)) || (a.id < b.id ? -1 : 1))
    let count = twins.length
    for (const record of rest) {
      const isEnd = rules.hasEnded(record)
      const place = open.findIndex((row) => (isWhole(record) || !hasEnded(row)) && !(isEnd && isAnother(row)))
      const [row] = place < 0 ? [] : open.splice(place, 1)
      if (row !== undefined) show(row, record)
      else if (count < records.length) added.push(create("", record, ++count))
    }
  }

  /** Shows records of one time to their rows. Most are alone in it, and are known or new: that is seen without their identity. */
  const showTogether = (rows: ReadonlyArray<Stored<Record>>, records: ReadonlyArray<Record>): void => {
    const [row] = rows
    const [record] = records
    if (records.length === 1 && record !== undefined) {
      if (row === undefined) return void added.push(create("", record, 1))
      if (rows.length === 1 && rules.equals(row.record, record)) return show(row, record)
    }
    const known = grouped(rows, ({ record }) => rules.identity(record))
    for (const [identity, alike] of grouped(records, rules.identity)) showTwins(known.get(identity) ?? [], alike)
  }

  const showSeveral = (): void => {
    const known = grouped(stored, ({ record }) => rules.at(record))
    for (const [at, together] of grouped(shown.records, rules.at)) showTogether(known.get(at) ?? [], together)
  }

  if (rules.twins === "same") showSame()
  else showSeveral()

  for (const row of shown.completeAt === undefined ? [] : stored) {
    const readAt = shown.completeAt?.(rules.at(row.record))
    // A record that only files know was never shown, so it is not gone.
    const isGone = readAt !== undefined && readAt > row.seenAt && row.vanishedAt === null && !row.imported &&
      row.query === shown.query
    if (!isGone || seen.has(row.id)) continue
    vanished++
    updated.set(row.id, { ...row, vanishedAt: readAt })
  }
  return { added, updated: [...updated.values()], past: written, changed, vanished, returned }
}
