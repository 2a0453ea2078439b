import { expect, test } from 'vitest'
import { removeObstacle } from './obstacle'
import type { WalletCore } from './wallet-core'

/** A browser that finds these wallets when it looks for late ones. */
function browser(late: string[]) {
  const connected: string[] = []
  let found: { id: string }[] = []
  const core = {
    resume: async () => {
      found = late.map((id) => ({ id }))
    },
    options: () => found,
    connect: async (id: string) => connected.push(id),
  } as unknown as WalletCore
  return { core, connected }
}

test('a wallet that is found late is connected', async () => {
  const { core, connected } = browser(['late'])
  await removeObstacle(core, 'wallet')
  expect(connected).toEqual(['late'])
})

test('without a wallet, the user learns how to get one', async () => {
  await expect(removeObstacle(browser([]).core, 'wallet')).rejects.toThrow(
    /^No wallet found in this browser\. Install/,
  )
})
