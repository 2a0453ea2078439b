import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { look } from './accessibility'
import { Agent, hired } from './actors'
import { folder } from './folder'
import { signIn, story } from './story'

const run = promisify(execFile)

/** Runs a command of `taskmarketd moderation` on the world's database, as a moderator. */
async function moderate(moderator: string, ...args: string[]): Promise<string> {
  const env = readFileSync(resolve(folder, 'env'), 'utf8')
  const url = /^TASKMARKET_DEV_DATABASE_URL=(.*)$/m.exec(env)?.[1]
  const program = resolve(import.meta.dirname, '../../bin/taskmarketd')
  const { stdout } = await run(program, ['moderation', ...args, '--as', moderator], {
    env: { ...process.env, TASKMARKET_DATABASE_URL: url },
  })
  return stdout
}

const statement = ['--facts', 'The text asks for a passport.', '--clause', '3.1 Identity documents']

story('a report leads to a decision', async ({ page, world, forgiven }) => {
  forgiven.push(/status of 403/)
  const agent = await Agent.register(world)
  const task = await agent.post('Photograph the customs office')
  await page.goto(`/tasks/${task}`)
  await signIn(page)
  await page.goto(`/tasks/${task}`)
  await page.getByRole('button', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report this task' })
  await dialog.getByLabel('Reason').selectOption({ label: 'Threats, hate or harassment' })
  await dialog.getByLabel('What is wrong?').fill('It is a threat.')
  await look(page, 'report', true)
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await page.getByText('Report sent. Moderators will decide.').waitFor()
  expect(await moderate('ada', 'queue')).toContain(task)
  expect(await moderate('ada', 'show', 'task', task)).toContain('It is a threat.')
  await moderate('ada', 'decide', 'task', task, 'hide', ...statement)
  const { notices } = await agent.ask<{ notices: { measure: string; subject_id: string }[] }>(
    'GET',
    '/notices',
  )
  expect(notices).toMatchObject([{ measure: 'hide', subject_id: task }])
  await page.goto(`/tasks/${task}`)
  await page.getByText('You can’t view this task').waitFor()
})

story(
  'a human appeals against a measure, and another moderator reverses it',
  async ({ page, world, wallet }) => {
    const { human, agent, task } = await hired(world, wallet.account, 'Count the customs officers')
    const sent = await human.ask<{ id: string }>(
      'POST',
      `/tasks/${task}/messages/`,
      { content: 'Nonsense!' },
      201,
    )
    const report = { subject_type: 'message', subject: sent.id, category: 'harassment' }
    await agent.ask('POST', '/reports', report, 201)
    await moderate('ada', 'decide', 'message', sent.id, 'hide', ...statement)

    await page.goto('/activity')
    await signIn(page)
    await page.goto('/activity')
    await page.getByRole('link', { name: 'Moderators acted on your content or account' }).click()
    await page.getByText('The text asks for a passport.').waitFor()
    await look(page, 'notices')
    await page.getByLabel('Why is the decision wrong?').fill('It was about the weather.')
    await page.getByRole('button', { name: 'Send appeal' }).click()
    await page.getByText('Waiting for another moderator').waitFor()

    const id = /appeal\s+([0-9a-f-]{36})/.exec(await moderate('ben', 'queue'))?.[1] ?? ''
    const decide = (moderator: string) =>
      moderate(moderator, 'appeal', id, 'reversed', '--reasons', 'You are right.')
    await expect(decide('ada')).rejects.toThrow(/another person/)
    await decide('ben')
    await page.reload()
    await page.getByText('Successful: the measure has ended').waitFor()
    await page.getByText('You are right.').waitFor()
  },
)
