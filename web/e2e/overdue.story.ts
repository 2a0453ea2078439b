import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { ask, balance, hired, wait } from './actors'
import { fund } from './agent'
import { Contracts } from './contracts'
import { leaveWhenSent } from './interruptions'
import { rescue } from './rescue-page'
import { signIn, story } from './story'

const day = 86_400

// This story advances the chain's clock, so vitest.config.ts runs it last.
story(
  'overdue payments are collected with and without the service',
  async ({ page, wallet, world }) => {
    const { agent, human, task } = await hired(world, wallet.account, 'Copy the inscription')
    await human.submit(task, 'ANNO 1641')
    await agent.approve(task)
    const silent: string[] = []
    for (const title of ['Copy the register', 'Copy the chronicle']) {
      const other = await agent.post(title)
      await human.apply(other)
      await agent.accept(other)
      await human.submit(other, 'Copied.')
      silent.push(other)
    }
    const me = wallet.account
    const employer = privateKeyToAccount(generatePrivateKey())
    const [contracts] = await Promise.all([Contracts.of(world), fund(world, employer)])
    const approved = await contracts.hire(employer, me, parseEther('10'))
    await contracts.deliver(me, approved)
    await contracts.approve(employer, approved)
    // The server's keeper normally settles the task. Without gas it cannot, but anyone can call the
    // contract.
    const [, keeper] = (await ask(world, 'eth_accounts')) as string[]
    const gas = await ask(world, 'eth_getBalance', keeper, 'latest')
    await ask(world, 'anvil_setBalance', keeper, '0x0')
    try {
      await page.goto('/')
      await signIn(page)
      await wait(world, 3 * day)
      await page.goto(`/tasks/${task}`)
      await page.getByRole('button', { name: 'Collect payment' }).click()
      const tab = await leaveWhenSent(page, wallet)
      await wallet.broadcast()
      await tab.getByText('You were paid.').first().waitFor()
      await human.until(task, 'approved')

      // After 30 days without activity, the human can release the payment without the agent.
      await wait(world, 27 * day + 3_600)
      await tab.goto(`/tasks/${silent[0]}`)
      await tab.getByText('Validators have not decided within 30 days').waitFor()
      await tab.getByRole('button', { name: 'Collect payment' }).click()
      const last = await leaveWhenSent(tab, wallet)
      await wallet.broadcast()
      await last.getByText('You were paid.').first().waitFor()
      await human.until(silent[0] ?? '', 'approved')

      const before = await balance(world, me.address)
      const due = approved.payout + approved.stake
      await rescue(world, wallet, async ({ page: file, faults, look }) => {
        await look(world.rpcUrl, /^Items found: 4/)
        const settle = file.getByRole('button', {
          name: `Settle the overdue work: Task ${approved.id}`,
        })
        await file.getByText(/You are paid 9\.5\sTASK and get your stake of 0\.5\sTASK/).waitFor()
        await settle.click()
        await file.getByText(/^Done: Settle the overdue work/).waitFor()
        expect(await balance(world, me.address)).toBe(before + due)
        await file.getByRole('button', { name: /^Collect the payment/ }).click()
        await file.getByText(/^Done: Collect the payment/).waitFor()
        expect(await balance(world, me.address)).toBe(before + 2n * due)
        expect(faults).toEqual([])
      })
    } finally {
      await ask(world, 'anvil_setBalance', keeper, gas)
    }
  },
)
