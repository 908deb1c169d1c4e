/** A notice becomes a message in a Slack channel. Whoever knows SLACK_WEBHOOK_URL can write there, so it is a secret. */
import process from "node:process"
import { text } from "node:stream/consumers"

const notice = JSON.parse(await text(process.stdin))
const response = await fetch(process.env["SLACK_WEBHOOK_URL"] ?? "", {
  method: "POST",
  redirect: "error",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ text: notice.text })
})
if (!response.ok) process.stderr.write(`Slack answered HTTP ${response.status}\n`)
// The connection is not kept for another request.
process.exit(response.ok ? 0 : 1)
