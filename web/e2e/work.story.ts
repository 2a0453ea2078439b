import { parseEther } from 'viem'
import { expect } from 'vitest'
import { balance, decide, hired, withoutToken } from './actors'
import { leaveInQuestion, leaveWhenSent } from './interruptions'
import { shown, signIn, story } from './story'

story('the human answers a dispute, wins it and is paid', async ({ page, wallet, world }) => {
  const { agent, human, task } = await hired(world, wallet.account, 'Measure the bridge')
  await page.goto('/')
  await signIn(page)
  await human.submit(task, 'It is 40 metres long. See https://example.org/bridge')
  await agent.dispute(task, 'We think that it is longer.')

  await page.goto('/work')
  await page
    .getByText('Answer the dispute: explain why your work meets the brief')
    .first()
    .waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Open' }).first().click()
  const dispute = page.getByRole('region', { name: 'This work is disputed' })
  await dispute.getByText('We think that it is longer.').waitFor()
  await dispute.getByText(/^You can answer until/).waitFor()
  const field = await dispute.getByLabel('Your answer').boundingBox()
  expect(field?.y, 'the answer is on the first screen').toBeLessThan(800)
  await dispute.getByText('0 of 2').first().waitFor()
  await dispute.locator('input[type=file]').setInputFiles({
    name: 'tape.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('40 m'),
  })
  await dispute.getByRole('link', { name: 'Download tape.txt' }).waitFor()
  await dispute.getByLabel('Your answer').fill('I measured it twice; the photo shows the tape.')
  await dispute.getByRole('button', { name: 'Send answer' }).click()
  await shown(page.getByRole('status').filter({ hasText: 'I measured it twice' }))

  await decide(world, task, true, 'The tape says 40 metres.')
  await human.until(task, 'approved')
  await page.reload()
  const over = page.getByRole('region', { name: 'Dispute' })
  await over.getByText('Decided for you. You were paid.').waitFor()
  await expect.poll(() => over.getByText('The tape says 40 metres.').count()).toBe(2)
  const money = page.getByRole('region', { name: 'Where the money is now' })
  await money.getByText('were paid, after a fee of 5%').waitFor()

  await page.goto('/earnings')
  await page.getByRole('link', { name: 'Measure the bridge' }).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await (await saved).createReadStream()
  const text = (await file.toArray()).join('')
  expect(text).toContain('"Measure the bridge"')
  expect(text).toMatch(/"10","0\.5","9\.5"/)
})

story('work is submitted with files, approved and paid', async ({ page, wallet, world }) => {
  const { agent, human, task } = await hired(world, wallet.account, 'Draw the old gate')
  await page.goto('/')
  await signIn(page)
  await page.goto('/work')
  await page.getByRole('main').getByRole('link', { name: 'Submit work' }).first().click()
  await page.getByLabel('Note').fill('Drawn on site. The hinges are on sheet two.')
  await page.locator('input[type=file]').setInputFiles([
    { name: 'gate.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg onload=alert(1)/>') },
    { name: 'not-this.txt', mimeType: 'text/plain', buffer: Buffer.from('a list of mine') },
  ])
  await page.getByLabel('Submit not-this.txt').uncheck()
  // Another tab restores the draft, and changes it without an effect on this tab.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByLabel('Submit gate.svg').waitFor()
  expect(await other.getByLabel('Submit not-this.txt').isChecked()).toBe(false)
  expect(await other.getByLabel('Note').inputValue()).toContain('The hinges')
  await other.getByLabel('Note').fill('On sheet three.')
  const empty = { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) }
  await other.locator('input[type=file]').setInputFiles(empty)
  await other.getByText('This file is empty. Choose a file with content.').waitFor()
  await other.close()
  await page.bringToFront()
  await page.getByLabel('Link').fill('https://example.org/gate')
  await page.reload()
  expect(await page.getByLabel('Note').inputValue()).toContain('The hinges')

  // A failed upload does not hide the review.
  await page.locator('input[type=file]').setInputFiles(empty)
  await page.getByRole('alert').getByText('This file is empty.').waitFor()
  await page.getByRole('button', { name: 'Submit work', exact: true }).click()
  await shown(page.getByRole('heading', { name: 'Check before you sign' }))
  const tab = await leaveWhenSent(page, wallet)
  await wallet.broadcast()
  await tab.getByText('Your work was submitted').first().waitFor()
  await human.until(task, 'submitted')

  await tab.goto(`/tasks/${task}`)
  const saved = tab.waitForEvent('download')
  await tab.getByRole('link', { name: 'Download gate.svg' }).click()
  expect((await saved).suggestedFilename()).toBe('gate.svg')
  await tab.getByText('The hinges are on sheet two.').waitFor()

  await agent.approve(task)
  await tab.reload()
  await tab
    .getByRole('region', { name: 'Validators are reviewing the work' })
    .getByText('validators can’t reject it')
    .waitFor()
  await decide(world, task, true, 'As agreed.')
  await human.until(task, 'approved')
  await tab.goto('/work?part=done')
  await tab.getByText('The payment was released to you').waitFor()
})

story('the human opens a dispute with a reason', async ({ page, wallet, world }) => {
  const { human, task } = await hired(world, wallet.account, 'Weigh the bell')
  await human.submit(task, '412 kg.')
  await page.goto('/')
  await signIn(page)
  await page.goto(`/tasks/${task}`)
  const pays = page.getByRole('region', { name: 'You may receive' })
  await pays
    .getByText(/^Without a decision, it is paid .* you lose your stake of 0.5 TASK\.$/)
    .waitFor()
  await page.getByText('Problem with this task?').click()
  await page.getByLabel('Reason').fill('The agent wants it weighed twice for one payment.')
  await page.getByRole('button', { name: 'Open a dispute' }).click()
  const tab = await leaveWhenSent(page, wallet)
  await wallet.broadcast()
  await tab.getByText('Your dispute is open.').first().waitFor()
  await human.until(task, 'disputed')
  const dispute = tab.getByRole('region', { name: 'This work is disputed' })
  await dispute.getByText('weighed twice for one payment').waitFor()
  await dispute.getByText('The agent can answer until').waitFor()
})

story(
  'a task is given up; a payment that failed is withdrawn later',
  async ({ page, wallet, world }) => {
    const { human, task } = await hired(world, wallet.account, 'Sort the archive')
    const before = await balance(world, wallet.account.address)
    await page.goto(`/tasks/${task}`)
    await signIn(page)
    await page.getByText('Can’t do this task?').click()
    await page.getByRole('button', { name: 'Give up this task' }).click()
    await leaveInQuestion(page, wallet)
    const tab = await withoutToken(world, async () => {
      const next = await leaveWhenSent(page, wallet)
      await wallet.broadcast()
      await next.getByText('You gave up the task.').first().waitFor()
      return next
    })
    await human.until(task, 'cancelled')

    await tab.goto('/earnings')
    await tab.getByText('Money waiting for you').waitFor()
    await tab.getByRole('button', { name: 'Withdraw' }).click()
    const last = await leaveWhenSent(tab, wallet)
    await wallet.broadcast()
    await last.getByText('The money is in your wallet.').first().waitFor()
    expect((await balance(world, wallet.account.address)) - before).toBe(parseEther('0.5'))
  },
)
