import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { folder } from './folder'
import { visit } from './story'
import type { TestWallet } from './wallet'
import type { World } from './world'

/** A copy of the rescue page on disk, opened in a browser with a wallet. */
export interface Rescue {
  page: Page
  /** The page's errors and its requests to the service. There must be none. */
  faults: string[]
  /** Enters the node's URL, connects the wallet and waits for the page's message. */
  look(node: string, says: RegExp): Promise<void>
  /** Like `look`, with shorter timeouts for requests to nodes. */
  lookHastily(node: string, says: RegExp): Promise<void>
  /** Like `look`, on the page as it is served over https. */
  lookOverHttps(node: string, says: RegExp): Promise<void>
}

/** Enters the node's URL, connects the wallet and waits for the page's message. */
export async function look(page: Page, node: string, says: RegExp) {
  await page.getByLabel(/^Node/).fill(node)
  await page.getByRole('button', { name: 'Connect Test wallet' }).click()
  await page.getByRole('status').getByText(says).waitFor()
}

/** Runs in the page: divides timeouts by 100. */
function hurry() {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  AbortSignal.timeout = (ms) => timeout(ms / 100)
}

/** Opens the rescue page as if the service were unavailable, and closes it afterwards. */
export async function rescue(
  world: World,
  wallet: TestWallet,
  during: (rescue: Rescue) => Promise<void>,
) {
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
      look: (node, says) => look(page, node, says),
      async lookHastily(node, says) {
        const other = await context.newPage()
        await other.addInitScript(hurry)
        await other.goto(pathToFileURL(copy).href)
        await look(other, node, says)
        await other.close()
      },
      async lookOverHttps(node, says) {
        const other = await context.newPage()
        const url = 'https://market.example/rescue'
        await other.route(url, (route) => route.fulfill({ path: copy, contentType: 'text/html' }))
        await other.goto(url)
        await look(other, node, says)
        await other.close()
      },
    })
  } finally {
    await context.close()
  }
}
