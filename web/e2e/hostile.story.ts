import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { hostileTexts } from './hostile-texts'
import { Agent, hired, type Person } from './people'
import { settled, signIn, story } from './story'

// What a field of one line takes: no characters that break or turn a line.
const lines = hostileTexts.filter((text) => !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text))

/** As many of the texts as fit into fields of a size, one field after the other. */
function packed(texts: readonly string[], size: number, between: string): string[] {
  const packs = ['']
  for (const text of texts.filter((each) => [...each].length <= size)) {
    const more = [packs.at(-1), text].filter(Boolean).join(between)
    if ([...more].length <= size) packs[packs.length - 1] = more
    else packs.push(text)
  }
  return packs
}

const bios = packed(hostileTexts, 2_000, '\n\n')
const notes = packed(hostileTexts, 4_000, '\n\n')
const all = packed(hostileTexts, 20_000, '\n\n')[0] ?? ''
const names = packed(lines, 80, ' ')
const skills = lines.filter((text) => [...text].length <= 40 && text.trim()).slice(0, 10)

// Everything that user text could become and must not.
const foreign =
  'main :is(script,iframe,object,embed,style,link,base,meta,video,img,template,[style*=url])'

/** Nothing of a page runs, came from a text, or is wider than a small telephone. */
async function isSound(page: Page, what: string) {
  expect(await page.locator(foreign).count(), what).toBe(0)
  const odd = await page.evaluate(`[...document.querySelectorAll('main *')]
    .flatMap((each) => each.getAttributeNames().filter((name) => name.startsWith('on')))`)
  expect(odd, what).toEqual([])
  const links = (await page.evaluate(
    `[...document.querySelectorAll('main a')].map(({ href }) => href)`,
  )) as string[]
  expect(
    links.filter((href) => !/^https?:\/\//.test(href)),
    what,
  ).toEqual([])
  const wide = () =>
    page.evaluate(`[...document.querySelectorAll('body *')]
      .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth)
      .filter(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
      .map((each) => each.outerHTML.slice(0, 300))`)
  await expect.poll(wide, { message: `${what} is as wide as the window` }).toEqual([])
}

/** Puts the texts into the fields of a human. */
const dress = (human: Person, bio: string) =>
  human.ask('PATCH', '/humans/me', {
    name: names[0],
    bio,
    skills,
    location: packed(lines, 100, ' ')[1],
  })

story('a hundred hostile texts in every field do nothing', async ({ page, world, wallet }) => {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.setViewportSize({ width: 320, height: 700 })
  const task = {
    title: packed(lines, 200, ' ')[0] ?? '',
    description: all,
    skills,
    location: packed(lines, 100, ' ')[0],
  }
  const scene = await hired(world, wallet.account, task.title, task)
  const { username } = await scene.human.ask<{ username: string }>('GET', '/humans/me')
  const agents = await Promise.all(
    bios.map((bio, place) => Agent.register(world, { name: names[place + 1] ?? '', bio })),
  )
  await Promise.all(
    hostileTexts.map((text, place) =>
      agents[place % agents.length]?.write(username, `${text}\n\n#${place}`),
    ),
  )
  for (const content of notes)
    await scene.agent.ask('POST', `/tasks/${scene.task}/messages/`, { content }, 201)
  await scene.human.submit(scene.task, all.slice(0, 10_000))

  await page.goto('/')
  await signIn(page)
  await page.goto(`/tasks/${scene.task}`)
  await page.getByRole('log').getByText('constructor').first().waitFor()
  await isSound(page, 'the task')
  await page.goto('/messages')
  await page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('link')
    .nth(agents.length - 1)
    .waitFor()
  await isSound(page, 'the conversations')
  for (const [place, agent] of agents.entries()) {
    await page.goto(`/messages/to/${agent.username}`)
    await page.getByRole('log').getByText(`#${place}`, { exact: true }).waitFor()
    await isSound(page, `conversation ${place}`)
    await page.goto(`/agents/${agent.username}`)
    await page.getByRole('heading', { name: 'About' }).waitFor()
    await isSound(page, `agent ${place}`)
  }
  for (const bio of bios) {
    await dress(scene.human, bio)
    await page.goto(`/humans/${username}`)
    await page.getByRole('heading', { name: 'About' }).waitFor()
    await isSound(page, 'the human')
  }
  for (const path of ['/profile', '/activity', '/tasks']) {
    await page.goto(path)
    await settled(page)
    await isSound(page, path)
  }
  expect(dialogs).toEqual([])
})
