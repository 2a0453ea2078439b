import type { Locator, Page } from 'playwright-core'
import { type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { look } from './accessibility'
import { balance, decide, hired, Person } from './actors'
import { signInAs, story } from './story'
import { TestWallet } from './wallet'
import type { World } from './world'

const patience = { timeout: 60_000 }

/** Switches the browser's user to a validator and signs in. */
const become = (page: Page, wallet: TestWallet, world: World, which: number) =>
  signInAs(page, wallet, privateKeyToAccount(world.validatorKeys[which] as Hex))

/** Expands a task in the queue and returns its entry. */
async function open(page: Page, title: string): Promise<Locator> {
  const entry = page.getByRole('region', { name: title })
  const button = entry.getByRole('button', { name: title })
  await button.waitFor()
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  return entry
}

/** Fills in the verdict form, up to the signature. */
async function choose(entry: Locator, word: RegExp, reason: string) {
  await entry.getByRole('radio', { name: word }).check()
  await entry.getByLabel('Reason').fill(reason)
  await entry.getByRole('button', { name: 'Review and sign' }).click()
  await entry.getByRole('heading', { name: 'Check before you sign' }).waitFor()
}

const sign = (entry: Locator) => entry.getByRole('button', { name: 'Sign with my wallet' }).click()

story(
  'validators give verdicts up to the quorum',
  { timeout: 300_000 },
  async ({ page, wallet, world }) => {
    const title = 'Say what stands on the church'
    const worker = new TestWallet(world).account
    const { agent, human, task } = await hired(world, worker, title)
    const photo = await human.upload(task, 'vane.txt', 'a cock of copper')
    await human.submit(task, 'It is a **cock**, see the file.', [photo])
    await agent.dispute(task, 'We think that it is a ship.')
    await human.upload(task, 'letter.txt', 'The sexton says so, too.')
    const answer = { response: 'Ask the sexton; his letter is here.' }
    await human.ask('POST', `/tasks/${task}/dispute/response`, answer, 201)
    const before = await balance(world, worker.address)
    const agents = await balance(world, agent.account.address)

    await become(page, wallet, world, 0)
    await page.getByRole('banner').getByRole('group').click()
    await page.getByRole('link', { name: 'Validate' }).click()
    let entry = await open(page, title)
    await entry.getByText('Checked by your browser').waitFor()
    await entry.getByText('As agreed.', { exact: true }).waitFor()
    await entry.getByText('We think that it is a ship.').waitFor()
    await entry.getByText('Ask the sexton; his letter is here.').waitFor()
    expect(await entry.getByRole('strong').textContent()).toBe('cock')
    const saved = page.waitForEvent('download')
    await entry.getByRole('link', { name: 'Download letter.txt' }).click()
    const content = await (await (await saved).createReadStream()).toArray()
    expect(Buffer.concat(content).toString()).toBe('The sexton says so, too.')
    await entry.getByText('The SHA-256 matches.').waitFor()

    await entry.getByRole('button', { name: 'Review and sign' }).click()
    await entry.getByText('Choose a verdict.').waitFor()
    await entry.getByText('Give a reason. Both sides can read it').waitFor()
    const asked = wallet.asked.length
    await choose(entry, /Reject the work/, 'The file is no picture.')
    const review =
      (await entry.getByRole('heading', { name: 'Check before' }).locator('..').textContent()) ?? ''
    expect(review).toMatch(/Reject the work.*Dispute.*0x.*Escrow.*0x.*Chain.*The file is no/s)
    expect(review).toContain(title)
    expect(review).toContain(`${world.chainId}`)
    await look(page, 'validate-review')
    const silent = ['eth_accounts', 'eth_chainId']
    const prompts = wallet.asked.slice(asked).filter((method) => !silent.includes(method))
    expect(prompts, 'no wallet request before the signature').toEqual([])

    wallet.rejects = true
    await sign(entry)
    await entry.getByText('You cancelled in your wallet.', { exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    wallet.rejects = false
    wallet.chainId = 10
    await page.evaluate('__moveChain("0xa")')
    await entry.getByRole('button', { name: 'Try again' }).click()
    await sign(entry)
    await entry.getByText('Your wallet is on another network.').waitFor()
    await entry.getByRole('button', { name: 'Switch network' }).click()
    await sign(entry)
    const given = entry.getByRole('status').filter({ hasText: 'Your verdict: reject the work.' })
    await expect.poll(() => given.evaluate((each) => each === document.activeElement)).toBe(true)
    await entry.getByText('0 of 2').waitFor()

    const second = privateKeyToAccount(world.validatorKeys[2] as Hex)
    await (await Person.signIn(world, second)).vote(task, true, 'A cock it is.')

    // The verdict that decides is given using only the keyboard.
    await become(page, wallet, world, 1)
    await page.goto('/validate')
    entry = await open(page, title)
    await expect.poll(() => entry.getByText('1 of 2').count(), patience).toBe(2)
    expect(await balance(world, worker.address), 'a tie decides nothing').toBe(before)
    await entry.getByRole('radio', { name: /Pay the human/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.type('The letter settles it.')
    await page.reload()
    entry = await open(page, title)
    expect(await entry.getByLabel('Reason').inputValue(), 'the draft survives a reload').toContain(
      'settles it',
    )
    await entry.getByRole('radio', { name: /Pay the human/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await entry.getByRole('heading', { name: 'Check before you sign' }).waitFor()
    const confirm = entry.getByRole('button', { name: 'Sign with my wallet' })
    while (!(await confirm.evaluate((each) => each === document.activeElement)))
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await entry.getByRole('heading', { name: 'The human was paid' }).waitFor()
    await entry.getByText(/^The human received 9\.5 TASK/).waitFor()
    await entry.getByText('The letter settles it.').waitFor()
    await entry.getByText('The file is no picture.').waitFor()
    await human.until(task, 'approved')
    // The human receives the payment less the fee, 9.5 tokens, and the stake of 0.5 tokens.
    expect((await balance(world, worker.address)) - before).toBe(parseEther('10'))
    expect(await balance(world, agent.account.address)).toBe(agents)
    expect(wallet.asked).not.toContain('eth_sendTransaction')
  },
)

story(
  'a verdict on approved work needs no reason, and is rejected after the decision',
  async ({ page, wallet, world, forgiven }) => {
    forgiven.push(/status of 400/)
    const title = 'Count the buttresses'
    const { agent, human, task } = await hired(world, new TestWallet(world).account, title)
    await human.submit(task, 'There are six.')
    await agent.approve(task)
    await become(page, wallet, world, 2)
    await page.goto('/validate')
    const entry = await open(page, title)
    await entry.getByLabel('Reason (optional)').waitFor()
    await entry.getByRole('button', { name: 'Review and sign' }).click()
    await entry.getByRole('heading', { name: 'Check before you sign' }).waitFor()
    await entry.getByText('The agent approved the work.').waitFor()
    wallet.hesitatesAt = 'eth_signTypedData_v4'
    await sign(entry)
    await expect.poll(() => wallet.isAsked, patience).toBe(true)
    await decide(world, task, true, 'Six they are.')
    await human.until(task, 'approved')
    wallet.answer()
    await page.getByText('Your verdict was not accepted').waitFor()
    await entry.getByRole('heading', { name: 'The human was paid' }).waitFor()
    await expect.poll(() => entry.getByText('Six they are.').count(), patience).toBe(2)
    await look(page, 'validate-decided')
  },
)
