/**
 * A secret on the command line: every user of the machine may see it there while the command runs, and the shell keeps it. No
 * flag takes one. An argument that holds one all the same is refused before anything repeats it.
 */
import * as Effect from "effect/Effect"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"

const SEEN = "every user of this machine may see a command line"

/** Whether an address has a password, as that of a database does. */
const holdsPassword = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.password !== "" || url.searchParams.has("password"))
}

/** Fails where an argument is a flag for a secret, or an address with a password. */
export const none = (args: ReadonlyArray<string>): Effect.Effect<void, Failure.Failure> => {
  const flag = args.map((arg) => /^--?([^=]+)/.exec(arg)?.[1] ?? "").find(Setting.isSecretName)
  if (flag !== undefined) {
    return Effect.fail(
      Failure.usage(
        `no flag takes a secret, so there is no --${flag}; ${SEEN}: if you gave a secret, replace it, write the new one into a ` +
          `file of its own (chmod 600), and name that file with ${
            flag.startsWith("notify")
              ? "TALLYSTICK_NOTIFY_TOKEN_FILE"
              : "TALLYSTICK_API_KEY_FILE or TALLYSTICK_SECRET_KEY_FILE"
          }`
      )
    )
  }
  return args.some((arg) => holdsPassword(arg) || holdsPassword(arg.replace(/^--?[^=]+=/, "")))
    ? Effect.fail(
      Failure.usage(
        `an argument is an address with a password, and ${SEEN}: change that password, and set the address of a database as ` +
          "TALLYSTICK_DATABASE_URL"
      )
    )
    : Effect.void
}
