/** Addresses that hold a secret where nobody looks for one: no command shows it, wherever it stands. */
import { assert, it } from "@effect/vitest"
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Proxy from "@tallystick/cli/config/Proxy"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { configured } from "./support/Configured.ts"
import { env } from "./support/Doctor.ts"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const SECRET = "recognisable-secret"

/** Nothing listens at port 1. */
const HOST = "127.0.0.1:1"

const databases = [
  `postgres://u:${SECRET}@${HOST}/books`,
  `postgres://${HOST}/books?user=u&password=${SECRET}`,
  `postgres://u@${HOST}/books?sslmode=disable&sslpassword=${SECRET}`,
  `postgres://u@${HOST}/books?passfile=/home/${SECRET}`,
  `postgres://u@${HOST}/books?Password=${SECRET}&passwd=${SECRET}&token=${SECRET}`,
  `postgres://u@${HOST}/books?application_name=${SECRET}&options=-c%20my.key%3D${SECRET}`,
  `postgres://u@${HOST}/books?sslmode=require;password=${SECRET}`,
  `postgres://u@${HOST}/books?port=1%3Bpassword%3D${SECRET}`,
  `postgres://u@${HOST}/books?connect_timeout=5%26password%3D${SECRET}`,
  `postgres://u%3A${SECRET}@${HOST}/books`,
  `postgres://${HOST}/books?user=u%3A${SECRET}`,
  `postgres://u%3A${SECRET}@${HOST}`,
  `postgres://u@${HOST}/books%3Fpassword%3D${SECRET}`,
  `postgres://u@${HOST}/?dbname=postgres%3A%2F%2Fu%3A${SECRET}%40h%2Fbooks`,
  `postgres://u@${HOST}/?host=u%3A${SECRET}%40${HOST}`,
  `postgres://u:1/${SECRET}@${HOST}/books`,
  `postgres://u:1?${SECRET}@${HOST}/books`,
  `postgres://u:1#${SECRET}@${HOST}/books`,
  `mysql://u:${SECRET}@${HOST}/books`,
  SECRET
]

const commands = [
  ["archive", "backup", "/nowhere/copy.db"],
  ["archive", "status"],
  ["archive", "check"],
  ["archive", "trust"],
  ["runs"],
  ["show", "r1"],
  ["export", "--side", "deposits"],
  ["reconcile", "--archive"],
  ["sync"],
  ["config", "show"],
  ["config", "show", "--format", "json"]
]

it.layer(Layer.merge(layerFiles, layerNoNetwork))("a secret in an address", (it) => {
  it.effect("of a database is shown by no command", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const file = yield* put("d.ndjson", "")
      for (const database of databases) {
        for (const command of [...commands, ["import", "--deposits", file]]) {
          const { exitCode, stderr, stdout } = yield* tallystick([...command, "--log-level", "trace"], {
            env: { ...env, TALLYSTICK_DATABASE_URL: database }
          })
          const told = `${database} ${command.join(" ")}: ${stdout}${stderr}`
          assert.notInclude(stdout + stderr, SECRET, told)
          assert.isTrue(exitCode > 0 || command[0] === "config", told)
        }
      }
    }))

  it.effect("of a database leaves what says where it is in the line for pg_dump", () =>
    Effect.gen(function*() {
      const line = Effect.fnUntraced(function*(url: string) {
        const location = yield* Effect.provideService(
          ArchiveConfig.location,
          ConfigProvider.ConfigProvider,
          ConfigProvider.fromEnvRecord({ TALLYSTICK_DATABASE_URL: url })
        )
        assert.strictEqual(location._tag, "Postgres")
        return location._tag === "Postgres" ? ArchiveConfig.withoutSecrets(location) : ""
      })
      assert.strictEqual(
        yield* line(`postgres://u:${SECRET}@h:5433/books?sslmode=require&sslpassword=${SECRET}&connect_timeout=5`),
        "postgres://u@h:5433/books?sslmode=require&connect_timeout=5"
      )
      assert.strictEqual(
        yield* line(`postgres://h/books?user=u%40server&password=${SECRET}`),
        "postgres://h/books?user=u%40server"
      )
      assert.strictEqual(
        yield* line(`postgres://h/books?sslrootcert=/my%20certificates/root.crt&token=${SECRET}`),
        "postgres://h/books?sslrootcert=%2Fmy%20certificates%2Froot.crt"
      )
      assert.strictEqual(
        yield* line(`postgres:///books?host=/run/postgresql&port=5433&password=${SECRET}`),
        "postgres:///books?host=%2Frun%2Fpostgresql&port=5433"
      )
    }))

  it.effect("of a database has no place in the configuration file", () =>
    Effect.gen(function*() {
      for (const parameter of ["password", "sslpassword"]) {
        const { show } = yield* configured({ databaseUrl: `postgres://u@h/books?${parameter}=${SECRET}` })
        const { exitCode, overview } = yield* show()
        assert.strictEqual(exitCode, 2, parameter)
        assert.include(overview.problems[0], "without a password")
        assert.notInclude(JSON.stringify(overview), SECRET)
      }
    }))

  it.effect("of the service or of a proxy is shown by no command", () =>
    Effect.gen(function*() {
      for (
        const address of [
          `http://u:${SECRET}@${HOST}`,
          `http://${SECRET}@${HOST}/`,
          `http://${HOST}/?key=${SECRET}`,
          `http://${HOST}/#${SECRET}`,
          `u:${SECRET}@${HOST}`,
          `${SECRET}:x@${HOST}`,
          `http://u:${SECRET}/x@${HOST}`,
          SECRET
        ]
      ) {
        assert.notInclude(Proxy.told(address), SECRET, address)
        for (const command of [["config", "show"], ["config", "show", "--format", "json"], ["doctor"], ["deposits"]]) {
          const { stderr, stdout } = yield* tallystick(command, { env: { ...env, TALLYSTICK_BASE_URL: address } })
          assert.notInclude(stdout + stderr, SECRET, `${address} ${command.join(" ")}`)
        }
        for (const variable of ["HTTPS_PROXY", "http_proxy", "NO_PROXY", "OTEL_EXPORTER_OTLP_HEADERS"]) {
          const { stderr, stdout } = yield* tallystick(["config", "show"], {
            env: { ...env, NODE_USE_ENV_PROXY: "1", [variable]: address }
          })
          assert.notInclude(stdout + stderr, SECRET, `${variable}=${address}`)
        }
      }
    }))
})
