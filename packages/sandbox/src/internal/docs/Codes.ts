/** Explains the codes of refusals. */

/** A status, and the codes that come with it. */
export interface Refusal {
  /** The name of its schema. */
  readonly name: string
  readonly status: number
  readonly codes: Readonly<Record<number, string>>
}

const parameters = {
  700002: "the signature is wrong, or does not stand last",
  700003: "the timestamp is outside of the receive window",
  700004: "a parameter is missing, empty or given twice",
  700005: "recvWindow is too long",
  700008: "a parameter is malformed",
  730002: "a parameter is out of range"
}

const keys = {
  700013: "the content type is not application/json",
  33333: "the body is no JSON object of texts",
  730600: "no sub-account",
  730601: "no name of a sub-account",
  140001: "no such sub-account",
  730700: "no note",
  730701: "no permissions",
  730702: "a permission that does not exist",
  730703: "too many addresses",
  730704: "no IP address",
  730705: "the sub-account has as many keys as it may"
}

/** The refusals that any request may meet. */
export const ofRate: ReadonlyArray<Refusal> = [
  { name: "Ban", status: 418, codes: { 418: "banned until Retry-After has passed" } },
  { name: "RateRefusal", status: 429, codes: { 429: "too many requests: wait for Retry-After" } }
]

const ofSigned: ReadonlyArray<Refusal> = [
  {
    name: "KeyRefusal",
    status: 401,
    codes: { 401: "no API key", 700001: "no form of an API key", 10072: "an API key that nobody knows" }
  },
  {
    name: "PermissionRefusal",
    status: 403,
    codes: {
      403: "a foreign Host or target",
      700007: "the key lacks the permission",
      730603: "the key is not the broker's"
    }
  },
  ...ofRate
]

export const ofLists: ReadonlyArray<Refusal> = [
  { name: "ParameterRefusal", status: 400, codes: parameters },
  ...ofSigned
]

/** The refusals of the list of keys. */
export const ofKeyLists: ReadonlyArray<Refusal> = [
  {
    name: "KeyListRefusal",
    status: 400,
    codes: { ...parameters, 730600: keys[730600], 730601: keys[730601], 140001: keys[140001] }
  },
  ...ofSigned
]

export const ofKeys: ReadonlyArray<Refusal> = [
  { name: "NewKeyRefusal", status: 400, codes: { ...parameters, ...keys } },
  ...ofSigned,
  { name: "BodyRefusal", status: 413, codes: { 413: "the body is too large, or cannot be read" } }
]
