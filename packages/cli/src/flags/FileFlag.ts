/**
 * A flag or an argument that names a file: shells complete it, and it is looked at only when it is read. What the file is for
 * is noted as the flag is parsed, so that no command writes over what it reads.
 */
import * as Param from "effect/cli/Param"
import * as Primitive from "effect/cli/Primitive"
import * as Effect from "effect/Effect"
import * as FileUse from "../files/FileUse.ts"

type Note = (path: string, name: string) => Effect.Effect<void>

/** As it was written: `-` is no file, and messages name a file as its user does. */
const primitive = (note: (path: string) => Effect.Effect<void>) =>
  Object.assign(Primitive.Path("file"), { parse: (path: string) => Effect.as(note(path), path) })

const flag = (note: Note) => (name: string): Param.Param<typeof Param.flagKind, string> =>
  Param.makeSingle({
    kind: Param.flagKind,
    name,
    primitiveType: primitive((path) => note(path, `--${name} ${path}`)),
    typeName: "FILE"
  })

/** A file that is read. */
export const make = flag(FileUse.toRead)

/** A file that is read, or a word that stands for something else. */
export const makeOr = (word: string) => flag((path, name) => path === word ? Effect.void : FileUse.toRead(path, name))

/** A file that is written. */
export const written = flag(FileUse.toWrite)

/** An archive, to which other files belong. */
export const archive = flag(FileUse.toKeep)

/** A folder to which files are written. Each of them is looked at when it is written. */
export const folder = (name: string): Param.Param<typeof Param.flagKind, string> =>
  Param.makeSingle({
    kind: Param.flagKind,
    name,
    primitiveType: Object.assign(Primitive.Path("directory"), { parse: (path: string) => Effect.succeed(path) }),
    typeName: "DIR"
  })

const ofArgument = (note: Note) => (name: string): Param.Param<typeof Param.argumentKind, string> =>
  Param.makeSingle({
    kind: Param.argumentKind,
    name,
    primitiveType: primitive((path) => note(path, path)),
    typeName: "FILE"
  })

/** A file that is read. */
export const argument = ofArgument(FileUse.toRead)

/** A file that is written. */
export const writtenArgument = ofArgument(FileUse.toWrite)
