/** Makes the archive of a year, in a process of its own so that its memory is nobody's else. */
import * as YearFile from "./YearFile.ts"

console.log(await YearFile.make())
