import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Presses a key until the field that it opens is there, because a page hears keys only once its script runs; then fills it. */
export async function openByKey(page: Page, key: string, label: string, typed: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label })
  const opened = async () => {
    if (await field.isVisible()) return true
    await page.keyboard.press(key)
    return false
  }
  await expect.poll(opened, { interval: 300 }).toBe(true)
  await field.fill(typed)
}
