/** The sources that the page is built from, to tell whether it is older than they are. */
import { fileURLToPath } from "node:url"
import * as Bundle from "./Bundle.ts"

export const digest = (): string => Bundle.digest(fileURLToPath(new URL(".", import.meta.url)), ["src"])
