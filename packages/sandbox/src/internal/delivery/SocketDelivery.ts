/** Delivers an answer of the exchange on a real socket, with every fault that delivery can have. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import type { Socket } from "node:net"
import { plain } from "../../Delivery.ts"
import * as BodyStream from "./BodyStream.ts"
import type { Delivered } from "./FaultInjection.ts"

/**
 * How long the whole answer has to reach the client before its connection is reset. An immediate reset would take with it the
 * bytes that the network still carries.
 */
const BEFORE_RESET = "100 millis"

export interface SocketDelivery {
  /** Waits for the reset of this request's connection, if one is due, and makes it happen now. Otherwise it ends at once. */
  readonly resetIfDoomed: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void>
  readonly deliver: (
    request: HttpServerRequest.HttpServerRequest,
    answer: Delivered
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

const socketOf = (request: HttpServerRequest.HttpServerRequest): Socket =>
  NodeHttpServerRequest.toIncomingMessage(request).socket

/**
 * Resets the connection and waits for the request to end with it. Effect's server runs a handler uninterruptibly and leaves
 * it to the handler where it may be interrupted.
 */
const reset = (socket: Socket) =>
  Effect.andThen(Effect.sync(() => void socket.resetAndDestroy()), Effect.interruptible(Effect.never))

/** Ends when everything written so far has left this process. */
const flushed = (socket: Socket) =>
  Effect.callback<void>((resume) => {
    socket.write("", () => resume(Effect.void))
  })

export const make = (): SocketDelivery => {
  const doomed = new WeakSet<Socket>()

  const send = (
    socket: Socket,
    { body, delivery = plain, headers, status }: Delivered
  ) => {
    const { manner } = delivery
    const head = { status, headers }
    const measured = { ...head, contentLength: Buffer.byteLength(body) }
    const bytes = BodyStream.make(body, manner)
    const thenReset = (pause: Effect.Effect<void>) =>
      HttpServerResponse.stream(
        Stream.concat(
          bytes,
          Stream.fromEffect(flushed(socket).pipe(Effect.andThen(pause), Effect.andThen(reset(socket))))
        ),
        measured
      )
    switch (manner._tag) {
      case "Whole":
        return Effect.succeed(HttpServerResponse.text(body, head))
      case "Nothing":
        return reset(socket)
      case "Part":
        return Effect.succeed(thenReset(Effect.void))
      case "ResetBehind":
        doomed.add(socket)
        return Effect.succeed(thenReset(Effect.sleep(BEFORE_RESET)))
      case "Drip":
        return Effect.succeed(HttpServerResponse.stream(bytes, measured))
      default:
        return Effect.succeed(HttpServerResponse.stream(bytes, head))
    }
  }

  return {
    resetIfDoomed: (request) => {
      const socket = socketOf(request)
      return doomed.has(socket) ? reset(socket) : Effect.void
    },
    deliver: (request, answer) => {
      const { delay } = answer.delivery ?? plain
      const sent = Effect.suspend(() => send(socketOf(request), answer))
      return delay === 0 ? sent : Effect.andThen(Effect.interruptible(Effect.sleep(delay)), sent)
    }
  }
}
