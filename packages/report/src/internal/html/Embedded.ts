/** Writes JSON inside of a page. Nothing in it can end the element that holds it, or hide the rest of the file. */
import * as SafeJson from "../../text/SafeJson.ts"

/** Returns the value as JSON that holds no `<`, so neither `</script` nor `<!--`. It reads back the same. */
export const json = (value: unknown): string => SafeJson.stringify(value).replaceAll("<", "\\u003c")
