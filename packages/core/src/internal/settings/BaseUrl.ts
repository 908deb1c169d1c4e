/** The only address that requests are sent to. */
import * as Url from "effect/http/Url"
import * as Result from "effect/Result"

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Returns the address without a trailing slash, or says why it is not allowed. Plain http is for loopback, unless allowed. */
export const check = (text: string, allowHttp: boolean): Result.Result<string, string> => {
  const parsed = Url.fromString(text)
  if (Result.isFailure(parsed)) return Result.fail("is not an absolute address, such as https://api.example.com")
  const url = parsed.success
  if (url.username !== "" || url.password !== "") return Result.fail("must not contain a user name or password")
  if (url.search !== "" || url.hash !== "") return Result.fail("must not contain a query or fragment")
  if (url.protocol === "http:" && !loopback.test(url.hostname) && !allowHttp) {
    return Result.fail(
      "must be https (plain http is for loopback; ALLOW_HTTP beside it allows it elsewhere)"
    )
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return Result.fail("must be an https address")
  return Result.succeed(url.origin + url.pathname.replace(/\/+$/, ""))
}
