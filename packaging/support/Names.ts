/** The names that a package lets others import, module by module, from its declarations. */
import * as ts from "typescript6"
import { libraries, type Package } from "./Packed.ts"
import * as Subpaths from "./Subpaths.ts"

const kind = (symbol: ts.Symbol, checker: ts.TypeChecker): string => {
  const { flags } = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  if (flags & ts.SymbolFlags.Class) return "class"
  if (flags & ts.SymbolFlags.Module) return "module"
  const kinds = [
    flags & ts.SymbolFlags.Value ? ["value"] : [],
    flags & ts.SymbolFlags.Type ? ["type"] : []
  ].flat()
  return kinds.length > 0 ? kinds.join(" and ") : "unknown"
}

/** A line for each name: `/Broker Service: type`. The barrel's lines begin with a dot. */
const lines = (name: Package, declarations: string, program: ts.Program): string => {
  const checker = program.getTypeChecker()
  const names = (path: string, file: string): ReadonlyArray<string> => {
    const source = program.getSourceFile(`${declarations}/${file}.d.ts`)
    const symbol = source === undefined ? undefined : checker.getSymbolAtLocation(source)
    if (symbol === undefined) throw new Error(`@tallystick/${name}${path} declares nothing`)
    return checker.getExportsOfModule(symbol).map((exported) => `${path} ${exported.name}: ${kind(exported, checker)}`)
      .toSorted()
  }
  return [
    ...names(".", "index"),
    ...Subpaths.of(name).flatMap((path) => names(path, path.slice(1)))
  ].join("\n")
}

/** Returns the names of every library that is installed there. */
export const of = (consumer: string): Readonly<Record<typeof libraries[number], string>> => {
  const folder = (name: Package): string => `${consumer}/node_modules/@tallystick/${name}/dist`
  const every = libraries.flatMap((name) => ts.sys.readDirectory(folder(name), [".d.ts"]))
  // Only our own declarations are read, not those of Effect.
  const program = ts.createProgram(every, { noResolve: true, noLib: true, types: [] })
  const [archive, core, reconcile, report, sandbox] = (["archive", "core", "reconcile", "report", "sandbox"] as const)
    .map((name) => lines(name, folder(name), program))
  return {
    archive: archive ?? "",
    core: core ?? "",
    reconcile: reconcile ?? "",
    report: report ?? "",
    sandbox: sandbox ?? ""
  }
}
