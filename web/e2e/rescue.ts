import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { visit } from './story'
import type { TestWallet } from './wallet'
import type { World } from './world'

/** A copy of the rescue page on the disk, open in a browser with the wallet. */
export interface Rescue {
  page: Page
  /** What the page asked the service for, and what broke in it. */
  faults: string[]
  /** Names a node, asks it, and waits for what the page says of it. */
  look(node: string, says: RegExp): Promise<void>
}

/** Opens the rescue page as somebody does for whom the service is gone; closes it after. */
export async function rescue(
  world: World,
  wallet: TestWallet,
  during: (rescue: Rescue) => Promise<void>,
) {
  const folder = resolve(import.meta.dirname, '../../.dev/web')
  const copy = resolve(folder, 'rescue.html')
  mkdirSync(folder, { recursive: true })
  writeFileSync(copy, await (await fetch(`${world.webUrl}/rescue`)).text())
  const context = await visit(world, { viewport: { width: 1024, height: 768 } }, wallet)
  const faults: string[] = []
  context.on('request', (request) => {
    if (request.url().startsWith(world.webUrl)) faults.push(`asked: ${request.url()}`)
  })
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`))
  try {
    const page = await context.newPage()
    await page.goto(pathToFileURL(copy).href)
    await during({
      page,
      faults,
      async look(node, says) {
        await page.getByLabel(/^Node/).fill(node)
        await page.getByRole('button', { name: 'Look with Test wallet' }).click()
        await page.getByRole('status').getByText(says).waitFor()
      },
    })
  } finally {
    await context.close()
  }
}
