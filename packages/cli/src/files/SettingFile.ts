/** Files that say how to reconcile: policy, accounts, addresses. One mistake refuses the file, with its place. */
import * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Policy from "@tallystick/reconcile/Policy"
import * as JsonSyntax from "@tallystick/reconcile/rows/JsonSyntax"
import * as Faults from "@tallystick/sandbox/Faults"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Struct from "effect/Struct"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"
import * as AccountName from "./AccountName.ts"
import * as InputFile from "./InputFile.ts"
import * as RowFile from "./RowFile.ts"

/** The schema's own words for what it wants, where it has any: "string" would not tell that decimal text is wanted. */
const wanted = (issue: SchemaIssue.InvalidType): string => {
  const expected = SchemaAST.resolve(issue.ast)?.["expected"]
  return typeof expected === "string" ? `Expected ${expected}` : SchemaIssue.defaultLeafHook(issue)
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "UnexpectedKey") return "this key is not known here"
    return issue._tag === "InvalidType" ? wanted(issue) : SchemaIssue.defaultLeafHook(issue)
  }
})

type PathStep = PropertyKey | { readonly key: PropertyKey }

const pathText = (path: ReadonlyArray<PathStep>): string =>
  path.map((step) => String(typeof step === "object" ? step.key : step)).join(".")

/** Decodes what stands at a place of a file: `addresses.csv, line 3: account: Missing key`. */
export const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const parse = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  return (value: unknown, source: string): Effect.Effect<S["Type"], Failure.Failure> =>
    Effect.fromResult(Result.mapError(parse(value), ({ issue }) => {
      const [first] = format(issue).issues
      const path = pathText(first?.path ?? [])
      return Failure.usage(`${source}: ${path === "" ? "" : `${path}: `}${first?.message ?? "not readable"}`)
    }))
}

/** A setting that stands twice is refused: it does not say which value is meant. */
export const json = ({ name, text }: InputFile.InputFile): Effect.Effect<unknown, Failure.Failure> =>
  Effect.fromResult(Result.mapError(
    JsonSyntax.parse(text),
    ({ place, reason }) => Failure.usage(`${name}, ${place}: ${reason}`)
  ))

/** A policy as its file writes it. */
export const written = Effect.fnUntraced(function*(path: string) {
  const file = yield* InputFile.read(path)
  const decoded = Policy.decode(yield* json(file))
  return {
    name: file.name,
    policy: yield* Effect.fromResult(Result.mapError(decoded, Failure.fromPolicy(file.name)))
  }
})

/** The policy of `--policy`, or the one in force when nothing is written. */
export const policy = (path: Option.Option<string>) =>
  Option.match(path, {
    onNone: () => Effect.succeed(Policy.defaults),
    onSome: (path) => Effect.map(written(path), ({ policy }) => Policy.resolve(policy))
  })

/** The faults of `--faults`; none without it. */
export const faults = (path: Option.Option<string>) =>
  Option.match(path, {
    onNone: () => Effect.succeed(Faults.none),
    onSome: Effect.fnUntraced(function*(path) {
      const file = yield* InputFile.read(path)
      return yield* Effect.fromResult(Result.mapError(
        Faults.decode(yield* json(file)),
        ({ path, reason }) => Failure.usage(`${file.name}: ${path === "" ? "" : `${path}: `}${reason}`)
      ))
    })
  })

/** The rows of a file of which none may be unreadable. */
export const rowsOf = Effect.fnUntraced(function*(file: InputFile.InputFile) {
  const { refused, rows } = yield* RowFile.read(file)
  const [first] = refused
  if (first !== undefined) return yield* Failure.usage(`${first.source}: ${first.reason}`)
  return rows
})

/** The list that the exchange keeps, in the place of one of names. It does not tell the names of the master account. */
export const OfService = Schema.Struct({
  ...Struct.pick(Accounts.Accounts.fields, ["master"]),
  list: Schema.Literal("service")
})
export type OfService = typeof OfService.Type

/** Accounts as they are told: their names, or whom to ask for them. */
export type Told = Accounts.Accounts | OfService

export const isOfService = (told: Told): told is OfService => told.list === Setting.OF_SERVICE

/** No file says when a list was proven. */
const decodeAccounts = decode(Accounts.Accounts.mapFields(Struct.omit(["provenAt"])))
const decodeOfService = decode(OfService)
/** A name, or a line of `tallystick accounts --format json`. */
const decodeName = decode(Schema.Union([
  Schema.NonEmptyString,
  Schema.Struct({
    subAccount: Schema.NonEmptyString,
    note: Schema.optionalKey(Schema.String),
    timestamp: Schema.optionalKey(Schema.Int)
  })
]))
const decodeNamed = decode(Schema.Struct({ account: Schema.NonEmptyString }))

/** Accounts of a JSON object, of whose names each may be one. */
const named = Effect.fnUntraced(function*(accounts: Accounts.Accounts, file: string) {
  const { list } = accounts
  const masters = Accounts.masterNames(accounts)
  yield* Effect.forEach(masters, (name) => AccountName.checked(name, `${file}: master`), { discard: true })
  yield* Effect.forEach(list, (name, index) => AccountName.checked(name, `${file}: list.${index}`), { discard: true })
  return accounts
})

/**
 * `{ master?, list, complete? }`, where the list may be `"service"`, a list of names as JSON, or one name a line (a first line
 * `account` is a header).
 */
const readAccounts = Effect.fnUntraced(function*(path: string): Effect.fn.Return<
  Told,
  Failure.Failure,
  InputFile.Sources
> {
  const file = yield* InputFile.read(path)
  const text = file.text.trimStart()
  if (text.startsWith("{")) {
    const value = yield* json(file)
    if (typeof value !== "object" || value === null) return yield* decodeAccounts(value, file.name)
    if ("list" in value && value.list === Setting.OF_SERVICE) return yield* decodeOfService(value, file.name)
    return yield* named(yield* decodeAccounts({ complete: false, ...value }, file.name), file.name)
  }
  if (text.startsWith("[")) {
    const rows = yield* rowsOf(file)
    const list = yield* Effect.forEach(rows, ({ source, value }) =>
      Effect.flatMap(
        decodeName(value, source),
        (one) => AccountName.checked(typeof one === "string" ? one : one.subAccount, source)
      ))
    return { list, complete: false }
  }
  if (/\.json$/i.test(file.name)) {
    return yield* Failure.usage(
      `${file.name}: not JSON, as its name says that it is; tallystick accounts --format json writes a list`
    )
  }
  if (text.startsWith("subAccount,")) {
    return yield* Failure.usage(
      `${file.name}: a table of sub-accounts is no list of names; take what tallystick accounts --format json writes, or one name a line`
    )
  }
  const plain = file.text.replace(/^\uFEFF/, "")
  const headed = /^(?:account[\s,;]|account$)/.test(text) ? file : { ...file, text: `account\n${plain}` }
  const shift = headed === file ? 0 : 1
  const rows = yield* rowsOf(headed)
  const list = yield* Effect.forEach(rows, ({ source, value }) => {
    const line = source.replace(/\d+$/, (line) => String(Number(line) - shift))
    return Effect.flatMap(decodeNamed(value, line), ({ account }) => AccountName.checkedLine(account, line))
  })
  return { list, complete: false }
})

/** The accounts of the address book, vouched for by nobody. */
export const ofBook = (addresses: AddressBook.AddressBook | undefined): Accounts.Accounts => ({
  list: Array.from(new Set((addresses ?? []).map(({ account }) => account))),
  complete: false
})

/** The accounts of `--accounts`; without it, those of the address book. */
export const accounts = (
  path: Option.Option<string>,
  addresses: AddressBook.AddressBook | undefined
): Effect.Effect<Told, Failure.Failure, InputFile.Sources> => {
  if (Option.isNone(path)) return Effect.succeed(ofBook(addresses))
  if (path.value === Setting.OF_SERVICE) return Effect.succeed({ list: Setting.OF_SERVICE })
  return Effect.map(
    readAccounts(path.value),
    (told) => isOfService(told) ? told : { ...told, list: Array.from(new Set(told.list)) }
  )
}

const decodeAddress = decode(AddressBook.Address)

/** The address book of `--addresses`: rows with address, account and optionally memo and network. */
export const addresses = (path: Option.Option<string>) =>
  Option.match(path, {
    onNone: () => Effect.undefined,
    onSome: Effect.fnUntraced(function*(path) {
      const rows = yield* rowsOf(yield* InputFile.read(path))
      return yield* Effect.forEach(rows, ({ source, value }) =>
        Effect.tap(decodeAddress(value, source), ({ account }) =>
          AccountName.checked(account, `${source}: account`)))
    })
  })
