/** A notice becomes a mail to MAIL_TO. Its key is the id of the message, by which mailboxes know one that comes twice. */
import { spawnSync } from "node:child_process"
import process from "node:process"
import { text } from "node:stream/consumers"

const notice = JSON.parse(await text(process.stdin))
const mail = [
  `To: ${process.env["MAIL_TO"]}`,
  `Subject: Tallystick: ${notice.item?.code ?? notice.kind}`,
  `Message-ID: <${notice.key}@tallystick>`,
  "Content-Type: text/plain; charset=utf-8",
  "",
  notice.text,
  ""
].join("\n")
const { error, status } = spawnSync(process.env["SENDMAIL"] ?? "/usr/sbin/sendmail", ["-t"], { input: mail })
if (error !== undefined || status !== 0) {
  process.stderr.write(`sendmail did not take the mail: ${error?.message ?? `exit code ${status}`}\n`)
  process.exitCode = 1
}
