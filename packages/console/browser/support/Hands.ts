/** What a person does in front of a page. */
import type { Page } from "playwright-core"

export const press = async (page: Page, ...keys: ReadonlyArray<string>): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

export const signIn = async (page: Page, name: string, token: string): Promise<void> => {
  await page.getByLabel("Your name").fill(name)
  await page.getByLabel("Your token").fill(token)
  await page.keyboard.press("Enter")
}

/** Answers the dialog that asks why, but for its last key: a reason, and words. */
export const typeReason = async (page: Page, words: string): Promise<void> => {
  await page.getByRole("dialog").waitFor()
  await press(page, "f", "Tab")
  await page.keyboard.type(words)
}

/** Answers the dialog that asks why: reason, words, and Enter. */
export const because = async (page: Page, words: string): Promise<void> => {
  await typeReason(page, words)
  await press(page, "Enter")
}

/** Waits until the page says it. */
export const said = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()
