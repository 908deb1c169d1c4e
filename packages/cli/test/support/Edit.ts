import { DatabaseSync } from "node:sqlite"

/** Changes an archive's file as somebody does who knows SQL. */
export const edit = (file: string, statement: string): void => {
  const db = new DatabaseSync(file)
  db.exec(statement)
  db.close()
}
