/** The forms of a report. A new one needs its line here and its writer in `output/ReportOutput.ts`, which the compiler asks for. */
import * as Text from "@tallystick/report/text/Text"

/** The purposes of forms; help names the forms in this order. */
const uses = ["people", "spreadsheets", "programs", "any size: a line an outcome as soon as it is decided"] as const

/** `endings`: how the name of a file ends that means this form, the usual ending first. */
interface Form {
  readonly name: string
  readonly use: typeof uses[number]
  readonly endings: ReadonlyArray<string>
}

const forms = [
  { name: "table", use: "people", endings: [] },
  { name: "json", use: "programs", endings: ["json"] },
  { name: "ndjson", use: "any size: a line an outcome as soon as it is decided", endings: ["ndjson", "jsonl"] },
  { name: "csv", use: "spreadsheets", endings: ["csv"] },
  { name: "xlsx", use: "spreadsheets", endings: ["xlsx"] },
  { name: "markdown", use: "people", endings: ["md", "markdown"] },
  { name: "html", use: "people", endings: ["html", "htm"] }
] as const satisfies ReadonlyArray<Form>

export type ReportFormat = typeof forms[number]["name"]

/** The form of a report where nothing names one. */
export const standard = "table" satisfies ReportFormat

export const names = forms.map(({ name }) => name)

/** `table, json, …` */
export const listed = names.join(", ")

export const is = (text: string): text is ReportFormat => names.some((name) => name === text)

/** The form that the ending of a file's name means; the ending in small letters. */
export const ofEnding = (ending: string): ReportFormat | undefined =>
  forms.find(({ endings }: Form) => endings.includes(ending))?.name

/** The usual ending of the name of a file in this form, without the point. */
export const endingOf = (format: ReportFormat): string =>
  forms.find(({ name }: Form) => name === format)?.endings[0] ?? "txt"

/** The usual endings: `.json`, `.csv`. */
export const endings = forms.flatMap(({ endings }: Form) => endings.slice(0, 1).map((ending) => `.${ending}`))

/** The purposes of all forms, in words for help. */
export const explained = uses.map((use) =>
  `${Text.listed(forms.filter((form) => form.use === use).map(({ name }) => name))} for ${use}`
).join(", ")
