/** A notice becomes an event of PagerDuty, under one key for each item and condition, so that it opens no second incident. */
import process from "node:process"
import { text } from "node:stream/consumers"

const notice = JSON.parse(await text(process.stdin))
/** Nobody explained an item whose records are gone: its incident stays open for a person. */
const isOver = notice.state === "over" || notice.kind === "item-settled"
const response = await fetch(process.env["PAGERDUTY_URL"] ?? "https://events.pagerduty.com/v2/enqueue", {
  method: "POST",
  redirect: "error",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    routing_key: process.env["PAGERDUTY_ROUTING_KEY"],
    event_action: isOver ? "resolve" : "trigger",
    dedup_key: `tallystick-${notice.item?.id ?? notice.kind}${
      notice.close === undefined ? "" : `-${notice.close.number}`
    }`,
    payload: {
      summary: notice.text,
      source: "tallystick",
      severity: notice.state === undefined || notice.close !== undefined ? "warning" : "critical",
      custom_details: notice
    }
  })
})
if (!response.ok) process.stderr.write(`PagerDuty answered HTTP ${response.status}\n`)
// The connection is not kept for another request.
process.exit(response.ok ? 0 : 1)
