#!/usr/bin/env node
/** The entry: the only place that provides platform layers and runs. */
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Stdio from "effect/Stdio"
import * as Tallystick from "./Tallystick.ts"

Stdio.Stdio.use(({ args }) => Effect.flatMap(args, Tallystick.run)).pipe(
  Effect.provide([NodeServices.layer, FetchHttpClient.layer]),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
