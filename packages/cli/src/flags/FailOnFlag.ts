/** The flag `--fail-on CODE,…`. */
import * as Flag from "effect/cli/Flag"

export const flag = Flag.String("fail-on").pipe(
  Flag.withMetavar("CODE,…"),
  Flag.withDescription(
    "Exit with 1 only for these: codes (missing-transfer), kinds (discrepancy, undetermined, pending) or unread (a part of " +
      "the range was not read). Default: discrepancy,undetermined,bad-record,unread. Exit code 3 stays 3"
  ),
  Flag.optional
)
