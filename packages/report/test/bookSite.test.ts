import { assert, describe, it } from "@effect/vitest"
import * as BookSite from "@tallystick/report/BookSite"
import * as DateTime from "effect/DateTime"
import * as SiteSample from "./support/SiteSample.ts"

const pagesOf = (text: string): ReadonlyArray<string> => {
  const { days, index, look, story } = SiteSample.of(text)
  return [
    BookSite.index(index, look),
    ...days.map((day) => BookSite.day(day, look)),
    ...(["open", "pending", "undetermined", "matched", "decided", "out"] as const).map((state) =>
      BookSite.item(story(state), look)
    ),
    BookSite.unknownItem("i1111111111111111", look)
  ]
}

/** The tags of a page with their attributes, and without the values of these. */
const tagsOf = (page: string): ReadonlyArray<string> =>
  Array.from(page.matchAll(/<[^>]*>/g), ([tag]) => tag.replaceAll(/="[^"]*"/g, ""))

describe("the pages of the books", () => {
  it("have the same tags whatever strangers wrote, and every letter of it that can be seen", () => {
    const hostile = `</title></a><script>alert(1)</script><img src=x onerror="alert(2)">'&amp;\u202e\u0000`
    const plain = pagesOf("plain")
    for (const [index, page] of pagesOf(hostile).entries()) {
      assert.deepStrictEqual(tagsOf(page), tagsOf(plain[index] ?? ""))
      for (const lost of ["<script", "\u202e", "\u0000"]) assert.notInclude(page, lost)
      assert.include(
        page,
        "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&quot;alert(2)&quot;&gt;&#39;&amp;amp;"
      )
    }
  })

  it("ask for nothing but their style, and hold no script and no style of their own", () => {
    for (const page of pagesOf("plain")) {
      assert.include(
        page.replaceAll("&#39;", "'"),
        `content="default-src 'none'; style-src 'self' file:; base-uri 'none'; form-action 'none'"`
      )
      assert.notMatch(page, /<script|<style| style="| on[a-z]+="|https?:/)
      assert.isTrue(BookSite.isOurs(page))
    }
    assert.notInclude(BookSite.style.text, "url(")
    assert.isTrue(BookSite.isOurs(BookSite.style.text))
    assert.isFalse(BookSite.isOurs("<!doctype html>\n<p>mine</p>"))
  })

  it("tell the days by colour, sign and words, and give a day that no run judged no colour", () => {
    const { index, look } = SiteSample.of("plain")
    const page = BookSite.index(index, look)
    const cell = (day: number): string =>
      /<td.*?<\/td>/.exec(page.slice(page.lastIndexOf("<td", page.indexOf(`<span class="number">${day}</span>`))))
        ?.[0] ??
        ""
    assert.match(cell(16), /^<td class="breaks">.*✗.*1 break</)
    assert.match(cell(17), /^<td class="agrees">.*✓.*agrees</)
    for (const day of [18, 19, 21, 22]) assert.match(cell(day), /^<td class="undecided">.*\?.*undecided</)
    assert.strictEqual(cell(20), `<td><span class="number">20</span></td>`)
  })

  it("say that something waits where a record or time could not be read, or a day is to be judged again", () => {
    const { days, index, look } = SiteSample.of("plain")
    const none = { ...index.open, total: { ...index.open.total, items: 0 } }
    const calm: BookSite.Index = {
      ...index,
      days: days.filter(({ day }) => day === "2026-11-17"),
      open: none,
      undetermined: none,
      pending: 0,
      withoutEntries: []
    }
    const verdict = (more: Partial<BookSite.Index>): string =>
      /<p class="verdict">(.*?)<\/p>/.exec(BookSite.index({ ...calm, ...more }, look))?.[1] ?? ""
    assert.strictEqual(verdict({}), "Nothing waits in the books.")
    assert.strictEqual(
      verdict({ withoutEntries: [{ id: "u1", kind: "record", text: "a" }, { id: "u2", kind: "time", text: "b" }] }),
      "1 record that could not be read and 1 stretch of time not read."
    )
    assert.strictEqual(verdict({ days: days.filter(({ day }) => day === "2026-11-21") }), "1 day not decided.")
  })

  it("say a bound with every worth, and what is in no sum", () => {
    const { index, look } = SiteSample.of("PEPE")
    const page = BookSite.index(index, { ...look, currency: "USD" })
    assert.include(page, `<span title="at most 97500.185 USD">at most 97,500.19 USD</span>`)
    assert.include(page, "1 break is in no sum: there is no price of PEPE, or nobody can say what is missing.")
    assert.include(page, "Of them without a worth")
    const { open } = index
    const priced = {
      ...open,
      ages: open.ages.map((age) => ({ ...age, unpriced: 0 })),
      total: { ...open.total, unpriced: 0 }
    }
    assert.notInclude(BookSite.index({ ...index, open: priced }, look), "Of them without a worth")
    const unpriced = BookSite.index({ ...index, pricedAt: undefined }, look)
    assert.include(unpriced, "nothing is added up in one currency")
  })

  it("say of an id that the books do not know nothing else, and lead to the index", () => {
    const page = BookSite.unknownItem("i1111111111111111", SiteSample.of("plain").look)
    assert.include(page, "These books know no item <code>i1111111111111111</code>.")
    assert.include(page, `<a href="../index.html">`)
    for (const told of ["What to do", "<h2>", "<dl", "tag"]) assert.notInclude(page, told)
  })

  it("say of a settled item since when, and give no advice", () => {
    const { look, story } = SiteSample.of("plain")
    const settled = BookSite.item(story("matched"), { ...look, zone: DateTime.zoneMakeNamedUnsafe("Europe/Berlin") })
    assert.match(settled, /settled: matched<\/span> at <time>2026-11-17 01:00:00\+01:00<\/time>, execution 4\./)
    assert.notInclude(settled, "What to do")
    assert.include(BookSite.item(story("open"), look), "What to do")
    const within = BookSite.item({ ...story("open"), within: "i1111111111111111" }, look)
    assert.include(within, `<a href="i1111111111111111.html">`)
  })

  it("say of an item in which nothing waits, of whose entries others wait elsewhere, that its first one alone is settled", () => {
    const { look, story } = SiteSample.of("plain")
    const others = Array.from({ length: 23 }, (_, n) => `i${n.toString(16).padStart(16, "0")}`)
    const page = (some: ReadonlyArray<string>) => BookSite.item({ ...story("matched"), others: some }, look)
    const one = page(others.slice(0, 1))
    assert.match(one, /Its first entry is <span class="tag [a-z]+">settled: matched<\/span> since <time>/)
    assert.include(one, `wait on, in 1 other item: <a href="i0000000000000000.html">i0000000000000000</a>.`)
    assert.notInclude(one, "matched</title>")
    const many = page(others)
    assert.include(many, "in 23 other items: ")
    assert.include(many, "</a> and 3 more.")
    assert.strictEqual(many.match(/<a href="i/g)?.length, 20)
  })
})
