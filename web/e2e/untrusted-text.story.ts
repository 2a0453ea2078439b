import type { Page } from 'playwright-core'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { Agent, Person } from './actors'
import { fund } from './agent'
import { settled, signIn, signInAs, story } from './story'
import { hostileLines, isSound, packed } from './untrusted-text'
import { hostileTexts } from './untrusted-texts'

// Enters every hostile text into every form field that accepts it, and checks every page that shows
// the field on a small screen.

const paragraphs = (size: number) => packed(hostileTexts, size, '\n\n')
const words = (size: number) => packed(hostileLines, size, ' ')
// A name needs a letter or a digit.
const names = words(80).filter((name) => /[\p{L}\p{N}]/u.test(name))
// Tasks that contain an email address are held for moderation, so such texts are used only elsewhere.
const postable = (text: string) => !/@[\w-]+\.\w/.test(text)
const titles = packed(hostileLines.filter(postable), 200, ' ')
const places = packed(hostileLines.filter(postable), 100, ' ')
const filenames = words(200)
const bios = paragraphs(2_000)
const reasons = paragraphs(4_000)
const all = paragraphs(10_000)[0] ?? ''
const description = packed(hostileTexts.filter(postable), 10_000, '\n\n')[0] ?? ''
// Without their hidden characters, some texts are equal.
const skills = [...new Set(hostileLines.filter((text) => postable(text) && [...text].length <= 40))]
const addresses = hostileLines.filter((text) => /^https?:\/\/[\w./:?=@-]{3,}$/.test(text))
const narrow = { width: 320, height: 700 }

/** Splits a list into parts of at most `size`. */
const parts = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, place) =>
    list.slice(place * size, (place + 1) * size),
  )
const sorts = parts(skills, 10)
const turn = <T>(list: readonly T[], place: number) => list[place % list.length] as T

async function visit(page: Page, path: string, what = path) {
  await page.goto(path)
  await settled(page)
  await isSound(page, what)
}

const usernameOf = async (human: Person) =>
  (await human.ask<{ username: string }>('GET', '/humans/me')).username

story('no script can turn a text into markup', async ({ page, forgiven }) => {
  forgiven.push(/requires 'TrustedHTML' assignment/)
  for (const path of ['/', '/docs', '/rescue']) {
    await page.goto(path)
    const blocked = await page.evaluate(`(() => {
      try { document.createElement('div').innerHTML = '<b>text</b>' } catch (error) { return error.name }
    })()`)
    expect(blocked, path).toBe('TypeError')
  }
})

story('hostile texts in a profile have no effect', async ({ page, world, wallet }) => {
  await page.setViewportSize(narrow)
  await page.goto('/')
  await signIn(page)
  const human = await Person.signIn(world, wallet.account)
  const username = await usernameOf(human)
  // The agents and tasks of the next story have the other names and places.
  for (let round = titles.length; round < Math.max(names.length, places.length); round++) {
    await human.ask('PATCH', '/humans/me', {
      display_name: turn(names, round),
      bio: turn(bios, round),
      skills: turn(sorts, round),
      location: turn(places, round),
    })
    await page.goto(`/humans/${username}`)
    await page.getByRole('heading', { name: 'About' }).waitFor()
    await isSound(page, `the human, ${round}`)
  }
  await visit(page, '/profile')
})

/** Opens and checks all pages of the task board. */
async function visitBoard(page: Page, atLeast: number) {
  await page.goto('/tasks')
  const cards = page.getByRole('main').getByRole('listitem').getByRole('heading')
  await cards.nth(19).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await cards.nth(atLeast - 1).waitFor()
  await isSound(page, 'the board')
}

/** Searches for the hostile texts and saves searches under these names. */
async function search(page: Page) {
  const kept = parts(words(60), 20).map((some) =>
    some.map((name, place) => ({ name, params: { q: turn(titles, place), place: name } })),
  )
  for (const [round, q] of titles.entries()) {
    const searches = JSON.stringify(turn(kept, round))
    await page.evaluate(`localStorage.setItem('taskmarket.searches', ${JSON.stringify(searches)})`)
    const place = turn(places, round)
    await page.goto(`/tasks?${new URLSearchParams({ q, place, skill: turn(skills, round) })}`)
    await settled(page)
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    await page.getByRole('heading', { name: 'Saved searches' }).waitFor()
    await isSound(page, `the search, ${round}`)
  }
}

story(
  'hostile texts in lists of tasks and users have no effect',
  async ({ page, world, wallet, forgiven }) => {
    // The API rejects a location that contains no letter.
    forgiven.push(/status of 400/)
    await page.setViewportSize(narrow)
    const human = await Person.signIn(world, wallet.account)
    const username = await usernameOf(human)
    const agents = await Promise.all(
      titles.map((_, place) =>
        Agent.register(world, { name: turn(names, place), bio: turn(bios, place) }),
      ),
    )
    const tasks = await Promise.all(
      agents.map((agent, place) =>
        agent.post(turn(titles, place), {
          description,
          skills: turn(sorts, place),
          location: turn(places, place),
        }),
      ),
    )
    // An agent that the human has written to can send more than three messages.
    const writers = agents.slice(0, 10)
    for (const { username: to } of writers)
      await human.ask('POST', '/messages/', { username: to, content: 'Hello.' }, 201)
    await Promise.all(
      hostileTexts.map((text, place) =>
        turn(writers, place).write(username, `${text}\n\n#${place}`),
      ),
    )
    await visit(page, '/')
    await visitBoard(page, tasks.length)
    await signIn(page)
    await visitBoard(page, tasks.length)
    await search(page)
    await visit(page, `/tasks/${tasks[0]}`)
    await visit(page, `/tasks/${tasks[0]}/apply`)
    await page.goto('/messages')
    const conversations = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
    await conversations.nth(writers.length - 1).waitFor()
    await isSound(page, 'the conversations')
    for (const [place, agent] of writers.entries()) {
      await page.goto(`/messages/to/${agent.username}`)
      await page.getByRole('log').getByText(`#${place}`, { exact: true }).waitFor()
      await isSound(page, `conversation ${place}`)
    }
    for (const agent of agents.slice(0, bios.length)) await visit(page, `/agents/${agent.username}`)
    // Cancel the tasks, because other stories read the first page of the board.
    await Promise.all(
      agents.map((agent, place) =>
        agent.act(`/tasks/${tasks[place]}/cancel`, 'cancel_task_calldata'),
      ),
    )
  },
)

/**
 * Fills in a validator's verdict on a disputed task and checks the page at each step. `votes` is
 * called to submit the verdict.
 */
async function judge(page: Page, title: string, reason: string, votes: () => Promise<void>) {
  const entry = page.getByRole('region', { name: title })
  const open = async () => {
    await page.goto('/validate')
    const button = entry.getByRole('button', { name: title })
    await button.waitFor()
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
    await entry.getByText('Checked by your browser').waitFor()
    await entry.getByRole('heading', { name: 'Statements' }).waitFor()
  }
  await open()
  await entry.getByRole('radio', { name: /Pay the human/ }).check()
  await entry.getByLabel('Reason').fill(reason)
  await isSound(page, `${title}, undecided`)
  await entry.getByRole('button', { name: 'Review and sign' }).click()
  await entry.getByRole('heading', { name: 'Check before you sign' }).waitFor()
  await isSound(page, `${title}, before the signature`)
  await votes()
  await open()
  await entry.getByText('Your verdict: pay the human.').waitFor()
  await isSound(page, `${title}, with a verdict`)
  return entry
}

story(
  'hostile texts from application to review have no effect',
  async ({ page, world, wallet }) => {
    await page.setViewportSize(narrow)
    await fund(world, wallet.account)
    const [agent, human] = await Promise.all([
      Agent.register(world, { name: names[0] ?? '', bio: bios[0] ?? '' }),
      Person.signIn(world, wallet.account),
    ])
    await page.goto('/')
    await signIn(page)

    const tasks: { id: string; title: string }[] = []
    const attached = parts(filenames, Math.ceil(filenames.length / reasons.length))
    // In two rounds, one of the fields on each page has each text: a message or reason of a round has half of them.
    for (const round of reasons.keys()) {
      const message = turn(bios, round)
      const title = `${turn(names.filter(postable), round)} work ${round}`
      const id = await agent.post(title, { description })
      const applications = `/tasks/${id}/applications`
      const { application } = await human.ask<{ application: { id: string } }>(
        'POST',
        applications,
        { application_message: message },
        201,
      )
      const reason = turn(bios, round + reasons.length)
      await agent.ask('POST', `${applications}/${application.id}/reject`, { reason })
      await visit(page, `/tasks/${id}`, 'the application')
      await human.apply(id, message)
      await agent.accept(id)
      const files = await Promise.all(
        turn(attached, round).map((name) => human.upload(id, name, `${name} of work ${round}`)),
      )
      await visit(page, `/tasks/${id}/submit`, 'the files')
      await human.submit(id, all, files, turn(addresses, round))
      for (const content of round === 0 ? reasons : [])
        await agent.ask('POST', `/tasks/${id}/messages/`, { content }, 201)
      await visit(page, `/tasks/${id}`, 'the work')
      await agent.dispute(id, turn(reasons, round))
      const response = turn(reasons, round + 1)
      await human.ask('POST', `/tasks/${id}/dispute/response`, { response }, 201)
      await visit(page, `/tasks/${id}`, 'the dispute')
      tasks.push({ id, title })
    }
    for (const path of ['/work', '/messages', '/activity']) await visit(page, path)

    const [first, second] = world.validatorKeys.map((key) => privateKeyToAccount(key as Hex))
    if (!first || !second) throw new Error('the test world has fewer than two validators')
    await signInAs(page, wallet, first)
    const validators = await Promise.all([first, second].map((each) => Person.signIn(world, each)))
    for (const [round, { id, title }] of tasks.entries()) {
      const vote = (place: number) =>
        turn(validators, place).vote(id, true, turn(reasons, round + place))
      const entry = await judge(page, title, turn(reasons, round), () => vote(0))
      await vote(1)
      // The page polls for other validators' verdicts at long intervals, so this is checked only
      // once.
      if (round === 0) {
        await entry.getByRole('heading', { name: 'The human was paid' }).waitFor()
        await isSound(page, `${title}, decided`)
      }
      await human.until(id, 'approved')
      for (const [place, side] of [agent, human].entries()) {
        const comment = turn(bios, round + place * reasons.length)
        await side.ask('POST', `/tasks/${id}/reviews`, { rating: 5, comment }, 201)
      }
    }

    await signInAs(page, wallet, human.account)
    for (const { id } of tasks) await visit(page, `/tasks/${id}`, 'the end')
    const username = await usernameOf(human)
    for (const path of [`/humans/${username}`, `/agents/${agent.username}`, '/earnings', '/work'])
      await visit(page, path)
  },
)
