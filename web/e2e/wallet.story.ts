import { expect } from 'vitest'
import { signIn, story } from './story'
import { TestWallet } from './wallet'

story('a wallet on another network is moved with one button', async ({ page, wallet }) => {
  wallet.chainId = 10
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Test wallet/ }).click()
  await page.getByText('Your wallet is on another network').waitFor()
  expect(wallet.asked).not.toContain('personal_sign')

  await page.getByRole('button', { name: 'Switch network' }).click()
  await page.getByText(/^Signed in as/).waitFor()
  expect(wallet.asked).toContain('wallet_switchEthereumChain')
  expect(wallet.isOnOurChain).toBe(true)
})

story('a network that the wallet does not know is added', async ({ page, wallet }) => {
  wallet.chainId = 10
  wallet.knows.clear()
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Test wallet/ }).click()
  await page.getByRole('button', { name: 'Switch network' }).click()
  await page.getByText(/^Signed in as/).waitFor()
  expect(wallet.asked).toContain('wallet_addEthereumChain')
})

story('a no in the wallet is taken quietly, and can be taken back', async ({ page, wallet }) => {
  await page.goto('/')
  wallet.rejects = true
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Test wallet/ }).click()
  await page.getByText('You said no in the wallet. Nothing was signed.').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)

  wallet.rejects = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(/^Signed in as/).waitFor()
})

story('the session ends when the wallet moves to another account', async ({ page, world }) => {
  await page.goto('/')
  await signIn(page)
  const other = new TestWallet(world).account.address
  await page.evaluate(`__moveAccount(${JSON.stringify(other)})`)
  await page.getByText('Signed out, because your wallet moved to another account.').waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
})

story('a newcomer without a wallet takes the one for development', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Development wallet/ }).click()
  await page.getByText(/^Signed in as/).waitFor()
})
