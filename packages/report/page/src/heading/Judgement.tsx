/** Whether the books agree, what is in doubt, and what the run should be warned of. */
import * as Warnings from "../../../src/internal/content/Warnings.ts"
import type { Facts } from "../../../src/internal/html/Facts.ts"
import * as Text from "../../../src/text/Text.ts"
import * as Verdict from "../../../src/Verdict.ts"
import { CountText } from "../components/CountText.tsx"

const signs = {
  good: { path: "M5 12.5l4.5 4.5L19 7.5", label: "The books agree" },
  doubtful: { path: "M9 9a3 3 0 1 1 4.6 2.5c-1 .7-1.6 1.2-1.6 2.5M12 17.6v.2", label: "It cannot be said" },
  bad: { path: "M7 7l10 10M17 7L7 17", label: "The books do not agree" }
} as const

export const Judgement = ({ summary }: Pick<Facts, "summary">) => {
  const warnings = Warnings.of(summary)
  const grade = Verdict.grade(summary)
  const { label, path } = signs[grade]
  const [claim = "", ...rest] = Text.plain(Verdict.sentence(summary)).split(": ")
  return (
    <div class={`judgement ${grade}`}>
      <svg class="sign" viewBox="0 0 24 24" role="img" aria-label={label}>
        <circle cx="12" cy="12" r="11.5" />
        <path d={path} />
      </svg>
      <div>
        <h1>
          <span class="claim">{claim}</span>
          <span class="unseen">:</span>{" "}
          <span class="doubts">
            <CountText text={rest.join(": ")} />
          </span>
        </h1>
        <p class="meaning">{Text.plain(summary.meaning)}</p>
        {warnings.length === 0 ? null : (
          <ul class="warnings" aria-label="Warnings">
            {warnings.map((warning, index) => (
              <li key={index}>
                <strong>Warning:</strong> {Text.plain(warning)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
