import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { Agent } from './actors'
import { fund } from './agent'
import { review, sign } from './interruptions'
import { signIn, story, visit, watch } from './story'
import { TestWallet } from './wallet'

story(
  'a rejection in the wallet can be retried, and one button adds the right network',
  async ({ page, wallet }) => {
    await page.goto('/')
    wallet.rejects = true
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /Test wallet/ }).click()
    await page.getByText('You cancelled in your wallet. Nothing was signed.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)

    wallet.rejects = false
    wallet.chainId = 10
    wallet.knows.clear()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Your wallet is on another network').waitFor()
    expect(wallet.asked).not.toContain('personal_sign')
    await page.getByRole('button', { name: 'Switch network' }).click()
    await page.getByText(/^Signed in as/).waitFor()
    expect(wallet.asked).toContain('wallet_addEthereumChain')
    expect(wallet.isOnOurChain).toBe(true)
  },
)

const signedOut = (page: Page) =>
  page.getByText('You were signed out because your wallet switched to another account.').waitFor()

story(
  'a session ends when the wallet switches accounts, with and without an event',
  async ({ page, world, wallet, forgiven }) => {
    // Requests that are in progress when the session ends fail with 401.
    forgiven.push(/status of 401/)
    const [silent, signer] = [new TestWallet(world).account, new TestWallet(world).account]
    await fund(world, signer)
    const message = page.getByLabel('Your message to the agent')
    const apply = `/tasks/${world.tasks['Photograph the harbour at noon']}/apply`
    await page.goto('/')
    await signIn(page)
    await page.goto(apply)
    await message.fill('I live beside it.')
    await page.reload()
    expect(await message.inputValue()).toBe('I live beside it.')
    wallet.account = silent
    await page.evaluate(`__moveAccount(${JSON.stringify(silent.address)})`)
    await signedOut(page)
    await signIn(page)
    await page.goto(apply)
    expect(await message.inputValue(), 'drafts stay private').toBe('')

    // A wallet that emits no events is read when the page becomes visible again.
    wallet.account = signer
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await signedOut(page)
    await signIn(page)

    // The wallet is also read before a signature is requested.
    await page.goto(apply)
    await page.getByRole('button', { name: 'Apply and lock stake' }).click()
    await review(page)
    const before = wallet.asked.length
    wallet.account = new TestWallet(world).account
    await sign(page)
    await signedOut(page)
    expect(wallet.asked.slice(before).filter((each) => /^eth_(sign|send)/.test(each))).toEqual([])
  },
)

story(
  'a wallet that sets window.ethereum late is found on the rescue page',
  async ({ world, wallet }) => {
    const context = await visit(world, { viewport })
    await context.addInitScript(injectLate)
    await wallet.install(context)
    const page = await context.newPage()
    await page.goto('/rescue')
    await page.getByRole('status').getByText('No wallet found in this browser.').waitFor()
    await page.getByRole('button', { name: 'Connect your wallet' }).click()
    await page.getByRole('status').getByText('This wallet has nothing in the contracts.').waitFor()
    await context.close()
  },
)

/** Runs in the page: sets window.ethereum to the test wallet, after the page has looked for it, instead of announcing it. */
function injectLate() {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent).detail
    if (info.rdns !== 'example.wallet') return
    event.stopImmediatePropagation()
    setTimeout(() => Object.assign(window, { ethereum: provider }), 2_500)
  })
}

const viewport = { width: 1280, height: 800 }

story('a new user signs with the development wallet', async ({ world }) => {
  const context = await visit(world, { viewport })
  const faults = watch(context, world)
  const page = await context.newPage()
  const agent = await Agent.register(world)
  const task = await agent.post('Read the barometer')

  await page.goto(`/tasks/${task}`)
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  const offered = page.getByRole('dialog').getByRole('listitem')
  await offered.first().waitFor()
  expect(await offered.allInnerTexts()).toEqual([
    expect.stringMatching(/^Development wallet\s+Test money, signs automatically$/),
  ])
  await offered.getByRole('button').click()
  await page.getByText(/^Signed in as/).waitFor()
  await page.getByRole('link', { name: 'Apply for this task' }).click()
  await page.getByLabel('Your message to the agent').fill('It hangs in my hall.')
  await page.getByRole('button', { name: 'Apply and lock stake' }).click()
  const panel = page.getByRole('region', { name: 'Your transaction' })
  await panel.getByText('Test money. This wallet signs automatically.').waitFor()
  await panel.getByRole('button', { name: 'Sign' }).click()
  await page.getByRole('heading', { name: /your stake is locked/ }).waitFor()
  await context.close()
  expect(faults).toEqual([])
})

story(
  'without a faucet the development wallet is neither offered nor loaded',
  async ({ world }) => {
    const context = await visit(world, { viewport })
    const loaded: string[] = []
    context.on('request', (request) => loaded.push(request.url()))
    // Returns the settings as `serve` returns them, without a faucet.
    await context.route('**/app.json', async (route) => {
      const { faucetPath, ...settings } = (await (await route.fetch()).json()) as Settings
      expect(faucetPath).toBe('/dev/faucet')
      await route.fulfill({ json: settings })
    })
    const page = await context.newPage()
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('No wallet found in this browser').waitFor()
    expect(loaded.filter((url) => url.includes('wallet-core'))).not.toEqual([])
    expect(loaded.filter((url) => /development-wallet-(?!id)/.test(url))).toEqual([])
    await context.close()
  },
)

interface Settings {
  faucetPath?: string
}
