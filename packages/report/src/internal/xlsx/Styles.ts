/** The styles of a workbook: one for each kind of column, and one for headers. */

/** `text` on one line, `prose` wrapped; `rounded` numbers beside exact text; `count`s; `date`s to the second. */
const kinds = ["text", "prose", "rounded", "count", "date"] as const
export type Kind = typeof kinds[number]

/** The style of a header; the first one of a workbook is that of empty cells. */
export const HEADER = 1

/** Returns the number of the style of a kind. */
export const numberOf = (kind: Kind): number => kinds.indexOf(kind) + HEADER + 1

const formats = [
  [164, "#,##0.00######"],
  [165, "yyyy\\-mm\\-dd\\ hh:mm:ss"]
] as const

/** The formats of numbers: 49 is text, 3 is `#,##0`. */
const formatOf: Readonly<Record<Kind, number>> = { text: 49, prose: 49, rounded: 164, count: 3, date: 165 }

const isText = (kind: Kind): boolean => formatOf[kind] === 49

const top = (more = ""): string => `<alignment vertical="top"${more}/>`

export const xml =
  `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="${formats.length}">${
    formats.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join("")
  }</numFmts><fonts count="2"><font><sz val="10"/><name val="Arial"/></font><font><b/><sz val="10"/><name val="Arial"/></font></fonts>` +
  `<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>` +
  `<fill><patternFill patternType="solid"><fgColor rgb="FFE7ECF2"/><bgColor indexed="64"/></patternFill></fill></fills>` +
  `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
  `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
  `<cellXfs count="${kinds.length + 2}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
  `<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1">${
    top(` horizontal="left" indent="1" wrapText="1"`)
  }</xf>${
    kinds.map((kind) =>
      `<xf numFmtId="${
        formatOf[kind]
      }" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1">${
        top(`${isText(kind) ? ` horizontal="left" indent="1"` : ""}${kind === "prose" ? ` wrapText="1"` : ""}`)
      }</xf>`
    ).join("")
  }</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
