import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestWallet } from './wallet'

export const review = (page: Page) =>
  page.getByRole('heading', { name: 'Check before you sign' }).waitFor()
export const sign = (page: Page) => page.getByRole('button', { name: /my wallet/ }).click()

/** Reloads the page during a wallet request, which the user then rejects. */
export async function leaveInQuestion(page: Page, wallet: TestWallet) {
  await review(page)
  wallet.hesitatesAt = 'eth_sendTransaction'
  await sign(page)
  await expect.poll(() => wallet.isAsked, { timeout: 60_000 }).toBe(true)
  await page.reload()
  await page
    .getByText('If you confirmed the transaction in your wallet, it appears here automatically.')
    .waitFor()
  wallet.rejects = true
  wallet.answer()
  // Waits until the wallet has responded to the closed page.
  await new Promise(setImmediate)
  wallet.rejects = false
  await page.getByRole('button', { name: 'Ask my wallet again' }).click()
}

/**
 * Closes the tab after the wallet has sent the transaction and before a block includes it. Returns
 * another tab that shows the progress; the wallet's `broadcast` then completes the transaction.
 */
export async function leaveWhenSent(page: Page, wallet: TestWallet): Promise<Page> {
  await review(page)
  wallet.isSlow = true
  await sign(page)
  const onItsWay = { name: /^(Waiting for confirmation|Confirming the permission)…$/ }
  await page.getByRole('heading', onItsWay).waitFor()
  const next = await page.context().newPage()
  const url = page.url()
  await page.close()
  await next.goto(url)
  await next.getByRole('heading', onItsWay).waitFor()
  return next
}
