/** How somebody signs in and out. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { TooManyLogins, Unauthenticated, Unavailable } from "../../ConsoleError.ts"
import * as Person from "../../Person.ts"
import * as Access from "./Access.ts"

/** A secret has at most so many characters; the console's own have 43 to 64. */
const Secret = Schema.RedactedFromValue(Schema.NonEmptyString.check(Schema.isMaxLength(200)))

/** Says of a session whose it is and how long it lasts. */
const Session = Schema.Struct({
  person: Person.Person,
  endsAt: Schema.Int.annotateKey({
    description: "The session ends then, Unix ms; it ends earlier when nothing is asked in it for a while."
  }),
  csrf: Schema.NullOr(Schema.String).annotateKey({
    description: `What each write sends along as ${Access.CSRF}; null where the session is not kept in a cookie.`
  }),
  readOnly: Schema.Boolean.annotateKey({ description: "The console writes nothing, whatever a role allows." })
}).annotate({ identifier: "Session" })

/** A session that was just opened. */
const Opened = Schema.Struct({
  ...Session.fields,
  bearer: Schema.NullOr(Secret).annotateKey({
    description:
      "What each request sends along as `Authorization: Bearer …`; null where the session is kept in a cookie."
  })
}).annotate({ identifier: "OpenedSession" })

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const exchange = HttpApiEndpoint.post("exchange", "/api/session/exchange", {
  payload: Schema.Struct({ token: Secret }).annotate({ identifier: "Exchange" }),
  success: Opened,
  error: [Unauthenticated, Unavailable]
}).annotateMerge(described(
  "Exchange the token of the printed address for a session",
  "A token is exchanged once. A console with a file of users prints none."
))

const login = HttpApiEndpoint.post("login", "/api/session", {
  payload: Schema.Struct({
    name: Schema.String.check(Schema.isMaxLength(200)),
    token: Secret,
    keep: Schema.optionalKey(Schema.Literals(["bearer", "cookie"])).annotateKey({
      description: "How the session is kept: a page behind a proxy asks for a cookie. Default: bearer."
    })
  }).annotate({ identifier: "Login" }),
  success: Opened,
  error: [Unauthenticated, TooManyLogins, Unavailable]
}).annotateMerge(described(
  "Sign in by a name and a token of the file of users",
  "Failed logins make an address wait, and nobody else. A console without a file of users knows no names."
))

const whoAmI = HttpApiEndpoint.get("whoAmI", "/api/session", { success: Session })
  .middleware(Access.SignedIn)
  .annotate(Access.Needed, "read")
  .annotateMerge(described("Tell who is signed in", "The role is the one that the file of users has now."))

const logout = HttpApiEndpoint.delete("logout", "/api/session", { success: HttpApiSchema.NoContent })
  .middleware(Access.SignedIn)
  .annotate(Access.Needed, "read")
  .annotate(Access.ChangesNothing, true)
  .annotateMerge(described("Sign out", "The session ends at once, also where it watches events."))

export class SessionApi extends HttpApiGroup.make("session")
  .add(exchange, login, whoAmI, logout)
  .middleware(Access.Answers)
  .annotateMerge(OpenApi.annotations({ title: "Session", description: "How somebody signs in and out." }))
{}
