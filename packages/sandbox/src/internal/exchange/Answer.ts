/** Makes the exchange's answers, and every refusal with its status, code and text. */
import * as Result from "effect/Result"

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const JSON_HEADERS = { "content-type": "application/json;charset=UTF-8" }

/** Answers with JSON text. */
export const json = (body: string): Answer => ({ status: 200, headers: JSON_HEADERS, body })

export const refuse = (status: number, code: number, msg: string, headers?: Record<string, string>): Answer => ({
  status,
  headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers },
  body: JSON.stringify({ code, msg })
})

/** Answers as a server that stands in front of the service and does not speak JSON. */
export const page = (status: number, body: string): Answer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body
})

/** The connection gets no answer. */
export const nothing: Answer = { status: 0, headers: {}, body: "" }

/** A check that was passed, or the answer that ends the request. */
export type Checked<A> = Result.Result<A, Answer>

export const refused = (code: number, msg: string, status = 400): Checked<never> =>
  Result.fail(refuse(status, code, msg))

export const missing = (name: string): Checked<never> =>
  refused(700004, `Mandatory parameter '${name}' was not sent, was empty, or malformed.`)

export const malformed = (name: string, wanted: string): Checked<never> =>
  refused(700008, `Illegal characters found in parameter '${name}': ${wanted}.`)

export const outOfRange = (name: string, wanted: string): Checked<never> =>
  refused(730002, `Your input param is invalid: '${name}' must be ${wanted}.`)
