/** Gives the columns of a source the names of the fields that they hold. */
import type * as EntryReader from "../EntryReader.ts"

/** The names that a source has for fields of a plain entry; each other field has its own name. */
export type FieldNames = { readonly [Field in EntryReader.Field]?: string }

/** Returns what a name of the source becomes: the field that it stands for. What only has the name of such a field is put aside. */
export const renaming = (names: FieldNames): (name: string) => string => {
  const fields = new Map(Object.entries(names).map(([field, name]) => [name, field]))
  return (name) => fields.get(name) ?? (Object.hasOwn(names, name) ? `the source's own ${name}` : name)
}

/** Returns the first field whose column is not among these, with the name of the column. */
export const absent = (
  names: FieldNames,
  columns: ReadonlyArray<string>
): readonly [field: string, name: string] | undefined =>
  Object.entries(names).find(([, name]) => !columns.includes(name))
