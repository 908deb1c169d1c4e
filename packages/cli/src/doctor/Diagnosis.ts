/** A diagnosis tells an operator why a request failed, and gives advice. */
import type * as BrokerError from "@tallystick/core/BrokerError"
import { atMost } from "@tallystick/report/text/Times"
import * as ProxyFailure from "../network/ProxyFailure.ts"

export interface Diagnosis {
  readonly finding: string
  readonly advice: string
}

const untrusted: Diagnosis = {
  finding: "nobody whom this machine trusts vouches for the server's certificate",
  advice:
    "A company proxy that opens TLS, or a server that is not the service. Ask who runs the network; a proxy's own " +
    "certificate is made known with NODE_EXTRA_CA_CERTS=FILE. Never turn the verification off."
}

const outdated: Diagnosis = {
  finding: "the server's certificate is not valid at this moment",
  advice: "Look at the date of this machine first (date -u). If it is right, the service must renew its certificate."
}

const noRoute: Diagnosis = {
  finding: "there is no way from this machine to the service",
  advice: "Look at this machine's network: cable, VPN, default route, a firewall that rejects."
}

const noConnection: Diagnosis = {
  finding: "no connection came about in time",
  advice:
    "A firewall that drops packets, or a proxy that must be used. Try curl -v with the base URL from this machine; " +
    "with a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1."
}

const cut: Diagnosis = {
  finding: "the connection was cut before an answer came",
  advice: "Run doctor again. If it stays so, a firewall or proxy between here and the service cuts connections."
}

/** By the transport's own word. */
const byCode: Readonly<Record<string, Diagnosis>> = {
  ENOTFOUND: {
    finding: "the host name is not known",
    advice:
      "Look for a misspelt TALLYSTICK_BASE_URL. If it is right, this machine's name server does not know it: try " +
      "getent hosts with the name."
  },
  EAI_AGAIN: {
    finding: "the name server does not answer, so the host name cannot be looked up",
    advice: "Look at this machine's network and name server (/etc/resolv.conf); it may pass by itself."
  },
  ECONNREFUSED: {
    finding: "the connection was refused: nothing listens at that address and port",
    advice:
      "Look at host and port in TALLYSTICK_BASE_URL. If they are right, the service is down or a firewall refuses."
  },
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ETIMEDOUT: noConnection,
  UND_ERR_CONNECT_TIMEOUT: noConnection,
  ECONNRESET: cut,
  EPIPE: cut,
  UND_ERR_SOCKET: cut,
  CERT_HAS_EXPIRED: outdated,
  CERT_NOT_YET_VALID: outdated,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    finding: "the server's certificate is for another host name",
    advice: "Look for a misspelt TALLYSTICK_BASE_URL, a name server that answers wrongly, or a proxy in between."
  }
}

const noTls: Diagnosis = {
  finding: "the server does not speak TLS as it should",
  advice: "Look at the port in TALLYSTICK_BASE_URL, and whether it should be https; a proxy may be in between."
}

const noHttp: Diagnosis = {
  finding: "what answers does not speak HTTP",
  advice: "Look at the port in TALLYSTICK_BASE_URL, and whether it should be https."
}

const byFamily = (code: string): Diagnosis | undefined => {
  if (/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return noTls
  return code.startsWith("HPE_") ? noHttp : undefined
}

const known = (code: string | undefined): Diagnosis | undefined => {
  const trouble = code === undefined ? undefined : byCode[code] ?? byFamily(code)
  return trouble === undefined ? undefined : { ...trouble, finding: `${trouble.finding} (${code})` }
}

const unknownToProxy: Diagnosis = {
  finding: "a proxy wants to know who you are (HTTP 407)",
  advice:
    "Put the right user and password into HTTPS_PROXY (HTTP_PROXY for a plain http address), or ask the operators of the " +
    "proxy to let this machine through."
}

const behindProxy = "so that nothing is known about the service"

/** The service was not even asked. */
const proxied = (failure: ProxyFailure.ProxyFailure, { code, detail }: BrokerError.Unavailable): Diagnosis => {
  if (failure.kind === "unreached") {
    return {
      finding: `the proxy ${failure.proxy} was not reached, ${behindProxy}: ${known(code)?.finding ?? detail}`,
      advice:
        "Look at host and port in HTTPS_PROXY (HTTP_PROXY for a plain http address), and ask the operators of the proxy " +
        "whether it runs. Hosts that NO_PROXY names are asked past it."
    }
  }
  if (failure.kind === "closed") {
    return {
      finding: `the proxy closed the connection before it answered, ${behindProxy}`,
      advice:
        "Look whether HTTPS_PROXY names a proxy, and whether its scheme is right; else ask the operators of the proxy."
    }
  }
  if (failure.status === 407) return unknownToProxy
  return failure.status === 403
    ? {
      finding: "the proxy does not allow a connection to this host (HTTP 403)",
      advice:
        "Look for a misspelt TALLYSTICK_BASE_URL; if it is right, ask the operators of the proxy to allow its host and port."
    }
    : {
      finding: `the proxy opened no connection to this host (HTTP ${failure.status})`,
      advice:
        "Look for a misspelt TALLYSTICK_BASE_URL. If it is right, the service is down, or the proxy does not find it: ask " +
        "the operators of the proxy."
    }
}

const unavailable = (reason: BrokerError.Unavailable): Diagnosis => {
  const { cause = "", code, detail, status } = reason
  if (status !== undefined) {
    return {
      finding: `the service, or a gateway before it, is in trouble: ${detail}`,
      advice: "Nothing is wrong here. Try again in a few minutes; if it stays so, ask the service."
    }
  }
  const failure = ProxyFailure.read(cause)
  if (failure !== undefined) return proxied(failure, reason)
  return known(code) ?? {
    finding: cause === "" ? detail : `${detail}: ${cause}`,
    advice: code === undefined && detail.startsWith("no answer within")
      ? "A firewall that drops packets, or a slow service. Try curl -v with the base URL from this machine; a longer wait " +
        "is set with TALLYSTICK_TIMEOUT."
      : "Look at host and port in TALLYSTICK_BASE_URL (some ports, such as 1 and 9, are never connected to), and try curl -v " +
        "with it from this machine."
  }
}

const protocol = ({ detail, excerpt, status }: BrokerError.ProtocolError): Diagnosis => {
  const begins = excerpt === "" ? "" : `; it begins: ${excerpt}`
  if (status === 0 || (status >= 300 && status < 400)) {
    return {
      finding:
        `the answer is a redirect${status === 0 ? "" : ` (HTTP ${status})`}, which is never followed: it would show ` +
        "the key to somebody else",
      advice:
        "TALLYSTICK_BASE_URL must be the service's own address: look for http instead of https, for www, for the " +
        "login page of a network."
    }
  }
  if (status === 407) return unknownToProxy
  return {
    finding: `what answers is not the service: HTTP ${status}, ${detail}${begins}`,
    advice: "A proxy, a firewall or a network's login page answers instead, or TALLYSTICK_BASE_URL is the address of " +
      "something else. Open the address with curl -v from this machine and read what it says."
  }
}

const IP_NOT_LINKED = "700006"
const PERMISSION_MISSING = "700007"

const said = ({ code, serviceMessage }: { readonly code: string; readonly serviceMessage: string }): string =>
  `the service said ${code}${serviceMessage === "" ? "" : `: ${serviceMessage}`}`

const forbidden = (reason: BrokerError.PermissionDenied): Diagnosis => {
  const address = "Link this machine's public address to the key, as the service sees it (a proxy or NAT changes it)."
  const permission = `Give the key the permission ${reason.permission} at the exchange, or use one that has it.`
  if (reason.code === IP_NOT_LINKED) {
    return { finding: `this machine's address is not linked to the key (${said(reason)})`, advice: address }
  }
  return reason.code === PERMISSION_MISSING
    ? { finding: `the key lacks the permission ${reason.permission} (${said(reason)})`, advice: permission }
    : { finding: `the key may not do this (${said(reason)})`, advice: `${permission} ${address}` }
}

/** The diagnosis of a reason. It names the permission that an operation needs where that is missing. */
export const of = (reason: BrokerError.Reason): Diagnosis => {
  switch (reason._tag) {
    case "Unavailable":
      return unavailable(reason)
    case "ProtocolError":
      return protocol(reason)
    case "KeyRejected":
      return {
        finding: `the service does not know this key (${said(reason)})`,
        advice: "Copy the key again, without spaces; look whether it was deleted or has run out at the exchange, and " +
          "whether TALLYSTICK_BASE_URL belongs to it: a sandbox's key opens nothing elsewhere."
      }
    case "SignatureRejected":
      return {
        finding: `the signature was refused: the secret does not belong to the key (${said(reason)})`,
        advice:
          "Set TALLYSTICK_SECRET_KEY to the secret that was shown with this very key. If it is lost, make a new key."
      }
    case "ClockSkew":
      return {
        finding: `the request's time was refused although it was corrected by ${reason.offset} ms (${said(reason)})`,
        advice: "Set this machine's clock by NTP. If the way to the service is slow, raise recvWindow: " +
          "TALLYSTICK_CONVENTIONS='{\"recvWindow\":20000}'."
      }
    case "PermissionDenied":
      return forbidden(reason)
    case "RateLimited":
      return {
        finding: `the service asks to wait ${atMost(reason.retryAfter)} before the next request (${said(reason)})`,
        advice:
          "Wait that long and run doctor again. If it comes back, lower TALLYSTICK_RATE, and look who else uses " +
          "this key or address."
      }
    case "Banned":
      return {
        finding: `the service has banned this machine or key for another ${atMost(reason.remaining)}`,
        advice:
          "Send nothing until then: a request during a ban may make it longer. Then lower TALLYSTICK_RATE, and look who " +
          "else uses this key or address."
      }
    case "AccountRejected":
      return {
        finding: `the account was refused (${said(reason)})`,
        advice: "The key must belong to the master account of a broker. Ask the exchange what state the account is in."
      }
    case "SigningFailed":
      return { finding: reason.message, advice: "Look at the signer of this program, and at the secret it is given." }
    default:
      return {
        finding: reason.message,
        advice: "The service answers, but not as it is expected to. docs/troubleshooting.md says what each error means."
      }
  }
}
