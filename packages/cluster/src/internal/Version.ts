/** The version of the code that does a job. One that was submitted by another version is refused: its answer might be another. */
export const VERSION = "0.1.0"
