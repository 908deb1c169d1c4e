/** Writes markup, in which text of any origin is text. */
import * as Text from "../../text/Text.ts"
import * as HtmlText from "../content/HtmlText.ts"

/** Markup that was made here: it stands in a page as it is. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What stands in markup: text, which is escaped and has no invisible characters, or markup; nothing where it is undefined. */
export type Part = Markup | string | undefined | ReadonlyArray<Part>

const written = (part: Part): string => {
  if (part === undefined) return ""
  if (typeof part === "string") return HtmlText.escaped(Text.plain(part))
  return part instanceof Markup ? part.text : part.map(written).join("")
}

/** Makes markup of a template. Attributes are in double quotes there. */
export const html = (template: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Markup =>
  new Markup(template.map((text, index) => text + written(parts[index])).join(""))
