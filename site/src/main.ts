/** Builds the site into `site/dist`, and checks its links: `pnpm site`. Its last line counts what was checked. */
import * as Links from "./Links.ts"
import * as Site from "./Site.ts"

if (await Site.build()) {
  const { dead, links, pages } = Links.check(Site.out)
  for (const line of dead) console.log(`DEAD ${line}`)
  console.log(`${links} links of ${pages} pages, ${dead.length} dead`)
  if (dead.length > 0 || pages === 0) process.exitCode = 1
} else {
  process.exitCode = 1
}
