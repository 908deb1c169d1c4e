/** The check of the configuration file that commands make before anything else. */
import * as Effect from "effect/Effect"
import * as Configured from "../config/Configured.ts"
import * as OpenFiles from "../config/OpenFiles.ts"

/** Fails where the configuration file has problems, then judges whether others may write it. */
export const checked = Effect.andThen(Configured.sound, Effect.flatMap(OpenFiles.configuration, OpenFiles.judged))
