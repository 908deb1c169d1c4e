/** Variables of other programs that change what the command does. */

export interface ForeignVariable {
  readonly names: ReadonlyArray<string>
  readonly meaning: string
  readonly default: string
}

export const proxy: ReadonlyArray<ForeignVariable> = [
  {
    names: ["NODE_USE_ENV_PROXY"],
    meaning:
      "`1`: the three variables below are obeyed. Keys are linked to addresses; behind a proxy it is the proxy's address",
    default: "not obeyed"
  },
  { names: ["HTTP_PROXY", "HTTPS_PROXY"], meaning: "The proxy for http and for https addresses", default: "none" },
  { names: ["NO_PROXY"], meaning: "Hosts that are reached without it, with commas between", default: "none" }
]

export const terminal: ReadonlyArray<ForeignVariable> = [
  { names: ["NO_COLOR"], meaning: "Not empty: no colours", default: "colours on a terminal" },
  {
    names: ["FORCE_COLOR"],
    meaning: "`0` or `false`: no colours; not empty else: colours, whatever stdout is",
    default: "none"
  },
  { names: ["TERM"], meaning: "`dumb`: no colours, and nothing that moves", default: "as the terminal says" }
]

const signals = ["TRACES", "METRICS", "LOGS"] as const

const perSignal = (name: string): ReadonlyArray<string> =>
  signals.map((signal) => `OTEL_EXPORTER_OTLP_${signal}_${name}`)

export const telemetry: ReadonlyArray<ForeignVariable> = [
  { names: ["OTEL_EXPORTER_OTLP_ENDPOINT"], meaning: "Where everything goes", default: "none: nothing is exported" },
  { names: perSignal("ENDPOINT"), meaning: "Where one signal goes, the whole address", default: "below the endpoint" },
  {
    names: ["OTEL_EXPORTER_OTLP_PROTOCOL"],
    meaning: "`http/json` or `http/protobuf`",
    default: "`http/json`"
  },
  {
    names: ["OTEL_EXPORTER_OTLP_HEADERS", ...perSignal("HEADERS")],
    meaning: "Headers such as a token; never printed",
    default: "none"
  },
  {
    names: signals.map((signal) => `OTEL_${signal}_EXPORTER`),
    meaning: "`otlp`, or `none` to leave a signal out",
    default: "`otlp`"
  },
  { names: ["OTEL_SERVICE_NAME"], meaning: "`service.name` of what is exported", default: "`tallystick`" },
  {
    names: ["OTEL_RESOURCE_ATTRIBUTES"],
    meaning: "More attributes: `deployment.environment.name=prod,…`",
    default: "none"
  },
  { names: ["OTEL_SDK_DISABLED"], meaning: "`true`: nothing is exported", default: "`false`" }
]
