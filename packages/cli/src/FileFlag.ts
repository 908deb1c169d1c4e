/** A flag or an argument that names a file: shells complete it, and it is looked at only when it is read. */
import * as Param from "effect/cli/Param"
import * as Primitive from "effect/cli/Primitive"
import * as Effect from "effect/Effect"

/** As it was written: `-` is no file, and messages name a file as its user does. */
const primitive = Object.assign(Primitive.Path("file"), { parse: (path: string) => Effect.succeed(path) })

const named = <Kind extends Param.ParamKind>(kind: Kind) => (name: string): Param.Param<Kind, string> =>
  Param.makeSingle({ kind, name, primitiveType: primitive, typeName: "FILE" })

export const make = named(Param.flagKind)

export const argument = named(Param.argumentKind)
