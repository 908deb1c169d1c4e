/** Makes an archive of a year, or of the size that is asked for, in a process of its own so that its memory is nobody's else. */
import * as YearFile from "./YearFile.ts"

const [, , size] = process.argv
console.log(await YearFile.make(size === undefined ? undefined : JSON.parse(size)))
