/**
 * Writes a workbook: sheets of SpreadsheetML in a zip. The same tables give the same bytes, whenever and wherever it is written, and no
 * more than a piece of a sheet is in memory.
 */
import * as DateTime from "effect/DateTime"
import { strToU8, Zip, ZipDeflate } from "fflate"
import * as Cell from "./Cell.ts"
import * as Sheet from "./Sheet.ts"
import * as Styles from "./Styles.ts"

export interface Workbook {
  readonly title: string
  /** When it was made, Unix ms; null where that is not known. */
  readonly made: number | null
  readonly tables: ReadonlyArray<Sheet.Table>
}

/** Characters that are packed at once. */
const PIECE = 65_536

/** The zip keeps the time of each file as a clock on the wall shows it: the same time, whatever zone this process is in. */
const modified = (): number =>
  DateTime.toEpochMillis(
    DateTime.makeZonedUnsafe({ year: 1980, month: 1, day: 2 }, {
      timeZone: DateTime.zoneMakeLocal(),
      adjustForTimeZone: true
    })
  )

const XML = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const PACKAGE = "http://schemas.openxmlformats.org/package/2006"
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const relations = (targets: ReadonlyArray<readonly [id: string, type: string, target: string]>): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${
    targets.map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`).join("")
  }</Relationships>`

const about = ({ made, title }: Workbook): string =>
  `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
  `xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${
    Cell.escaped(title)
  }</dc:title>${
    made === null ?
      "" :
      `<dcterms:created xsi:type="dcterms:W3CDTF">${
        DateTime.formatIso(DateTime.makeUnsafe(made)).replace(/\.\d+Z$/, "Z")
      }</dcterms:created>`
  }</cp:coreProperties>`

const pieces = function*(texts: Iterable<string>): Generator<string> {
  // A long piece is packed better than its parts.
  let piece = ""
  for (const text of texts) {
    piece += text
    if (piece.length < PIECE) continue
    yield piece
    piece = ""
  }
  if (piece !== "") yield piece
}

const sheetNames = (names: ReadonlyArray<string>): string =>
  names.map((name, index) => `<sheet name="${Cell.escaped(name)}" sheetId="${index + 1}" r:id="s${index + 1}"/>`).join(
    ""
  )

/** The header of each sheet is printed on each page. */
const printed = (names: ReadonlyArray<string>): string =>
  names.map((name, index) =>
    `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">'${Cell.escaped(name)}'!$1:$1</definedName>`
  ).join("")

const write = function*(workbook: Workbook, limits: Sheet.Limits): Generator<Uint8Array, void> {
  const mtime = modified()
  let chunks: Array<Uint8Array> = []
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error
    chunks.push(chunk)
  })
  const packed = (): ReadonlyArray<Uint8Array> => {
    const ready = chunks
    chunks = []
    return ready
  }
  const open = (name: string): ZipDeflate => {
    const file = new ZipDeflate(name, { level: 4 })
    file.mtime = mtime
    zip.add(file)
    return file
  }
  const file = function*(name: string, text: string): Generator<Uint8Array> {
    open(name).push(strToU8(XML + text), true)
    yield* packed()
  }

  const names: Array<string> = []
  yield* file(
    "_rels/.rels",
    relations([
      ["r1", `${OFFICE}/officeDocument`, "xl/workbook.xml"],
      ["r2", `${PACKAGE}/relationships/metadata/core-properties`, "docProps/core.xml"]
    ])
  )
  yield* file("docProps/core.xml", about(workbook))
  yield* file("xl/styles.xml", Styles.xml)
  for (const table of workbook.tables) {
    const cursor = Sheet.begin(table)
    let part = 1
    do {
      names.push(part === 1 ? table.name : `${table.name} (${part})`)
      const sheet = open(`xl/worksheets/sheet${names.length}.xml`)
      sheet.push(strToU8(XML))
      for (const piece of pieces(Sheet.write(table, cursor, limits))) {
        sheet.push(strToU8(piece))
        yield* packed()
      }
      sheet.push(new Uint8Array(0), true)
      yield* packed()
      part++
    } while (cursor.next.done !== true)
  }
  yield* file(
    "xl/workbook.xml",
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets>${
      sheetNames(names)
    }</sheets><definedNames>${printed(names)}</definedNames></workbook>`
  )
  yield* file(
    "xl/_rels/workbook.xml.rels",
    relations([
      ["styles", `${OFFICE}/styles`, "styles.xml"],
      ...names.map((_, index) => [`s${index + 1}`, `${OFFICE}/worksheet`, `worksheets/sheet${index + 1}.xml`] as const)
    ])
  )
  yield* file(
    "[Content_Types].xml",
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/docProps/core.xml" ` +
      `ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>${
        names.map((_, index) =>
          `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${TYPE}.worksheet+xml"/>`
        ).join("")
      }</Types>`
  )
  zip.end()
  yield* packed()
}

/** Returns the bytes of the file in parts. */
export const parts = (workbook: Workbook, limits: Sheet.Limits = Sheet.LIMITS): Iterable<Uint8Array> => ({
  [Symbol.iterator]: () => write(workbook, limits)
})
