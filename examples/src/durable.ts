import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as SqliteClient from "@tallystick/archive/SqliteClient"
import * as ClusterWorkflowEngine from "effect/cluster/ClusterWorkflowEngine"
import * as SingleRunner from "effect/cluster/SingleRunner"
import * as Config from "effect/Config"
import * as Layer from "effect/Layer"
import { CloseDayLayer } from "./workflow.ts"

/** One process that keeps its workflows in a file. Started again, it goes on where it was. */
const EngineLayer = ClusterWorkflowEngine.layer.pipe(
  Layer.provideMerge(SingleRunner.layer({ runnerStorage: "sql" })),
  Layer.provide([
    SqliteClient.layerConfig({ filename: Config.String("WORKFLOWS") }),
    // The ids of executions are digests.
    NodeCrypto.layerDigest
  ])
)

/** It needs a `Broker`, and an archive with its runs. */
export const DurableLayer = Layer.provideMerge(CloseDayLayer, EngineLayer)
