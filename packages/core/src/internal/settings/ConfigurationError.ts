/** The error of a configuration, and how it is made of the name of a setting. */
import * as Schema from "effect/Schema"

/**
 * A mistake in the configuration. The error names the setting, and never its value: in its message by its path in the
 * ConfigProvider (`TALLYSTICK.RATE`), because a provider need not read the environment, and beside it as the environment names it.
 */
export class ConfigurationError
  extends Schema.TaggedError<ConfigurationError>("@tallystick/core/BrokerConfig/ConfigurationError")(
    "ConfigurationError",
    {
      /** The variable of the environment (`TALLYSTICK_RATE`), or the option of a program (`rate`). */
      variable: Schema.String,
      /** The mistake, as the end of a sentence that begins with the name of the setting. */
      problem: Schema.String,
      /** The path in the ConfigProvider (`["TALLYSTICK", "RATE"]`); absent where the setting is an option of a program. */
      path: Schema.optionalKey(Schema.Array(Schema.String))
    }
  )
{
  override get message(): string {
    return `${this.path === undefined ? this.variable : this.path.join(".")} ${this.problem}`
  }
}

/** The error of an option of a program, or of the configuration as a whole. */
export const wrong = (variable: string, problem: string) => new ConfigurationError({ variable, problem })

/** The error of a setting that stands at a path of the ConfigProvider. */
export const wrongAt = (path: ReadonlyArray<string>, problem: string) =>
  new ConfigurationError({ variable: path.join("_"), problem, path })
