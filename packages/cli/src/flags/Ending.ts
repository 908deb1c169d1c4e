/** The form of a result that the name of its file promises. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ReportFormat from "../config/ReportFormat.ts"
import * as Failure from "../Failure.ts"
import * as OutFlag from "./OutFlag.ts"

/** How the name of a file ends, in small letters and without the point. */
export const of = (path: string): string => /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""

/** Endings that promise another kind of file than any result is. */
export const otherKinds: ReadonlySet<string> = new Set(
  ["pdf", "xls", "ods", "doc", "docx", "odt", "rtf", "tsv", "xml", "yaml", "yml", "parquet", "png", "gz", "zip"]
)

interface Asked<Format> {
  readonly format: Option.Option<Format>
  readonly out: Option.Option<string>
}

/** The form is that of `--format`, else the one that the name of the file promises, else a table. */
const among =
  <Format extends OutFlag.ListFormat>(known: ReadonlyArray<Format>) =>
  ({ format, out }: Asked<Format>): Effect.Effect<Format | "table", Failure.Failure> => {
    if (Option.isSome(format)) return Effect.succeed(format.value)
    const ending = of(Option.getOrElse(out, () => ""))
    const promised = ReportFormat.ofEnding(ending)
    const found = known.find((name) => name === promised)
    if (found !== undefined) return Effect.succeed(found)
    return promised !== undefined || otherKinds.has(ending)
      ? Effect.fail(Failure.usage(
        `--out: this is not written as .${ending}; let the name end in ${
          known.filter((name) => name !== "table").map((name) => `.${name}`).join(", ")
        } or .txt, or give --format`
      ))
      : Effect.succeed("table")
  }

/** The form of a list that a spreadsheet may open. */
export const sheetFormat = among(OutFlag.sheetFormats)

/** The form of a list that programs may read line by line, too. */
export const listFormat = among(OutFlag.listFormats)
