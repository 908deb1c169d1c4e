/** Writes the generated files into the repository: `pnpm reference`. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as All from "./All.ts"

const write = Effect.gen(function*() {
  const fileSystem = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const root = yield* paths.fromFileUrl(new URL("../..", import.meta.url))
  for (const { path, text } of yield* All.all) {
    const file = paths.join(root, path)
    yield* fileSystem.makeDirectory(paths.dirname(file), { recursive: true })
    yield* fileSystem.writeFileString(file, text)
    yield* Console.log(path)
  }
})

write.pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
