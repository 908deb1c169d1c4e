/** A receiver of notices behind the HttpClient port, beside whatever else is asked. */
import * as Notice from "@tallystick/archive/Notice"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Schema from "effect/Schema"

export const URL_OF = "https://notices.example.com/hook"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Notice.Notice))

/** What a notice says in few words. */
const words = (notice: Notice.Notice): string =>
  "state" in notice
    ? `${notice.kind} ${notice.state}`
    : "item" in notice
    ? `${notice.kind} ${notice.item.code}`
    : notice.kind

/** Takes what goes to the receiver; `client` answers the rest. */
export const beside = (client: HttpClient.HttpClient) => {
  const taken: Array<Notice.Notice> = []
  const authorizations = new Set<string | undefined>()
  const state = { status: 200 }
  const whole = HttpClient.make((request, url) => {
    if (url.href !== URL_OF) return client.execute(request)
    return Effect.sync(() => {
      const { body, headers } = request
      authorizations.add(headers["authorization"])
      if (state.status === 200 && body._tag === "Uint8Array") taken.push(decode(new TextDecoder().decode(body.body)))
      return HttpClientResponse.fromWeb(request, new Response("thanks", { status: state.status }))
    })
  })
  return { client: whole, taken, authorizations, state, told: () => taken.map(words) }
}
