import type { PrivateKeyAccount } from 'viem/accounts'
import { Agent, decide, hire, Person } from './actors'
import { fund } from './agent'
import type { World } from './world'

const day = 86_400_000
const later = (days: number) => new Date(Date.now() + days * day).toISOString()

/**
 * A user with existing data: the usernames of the human, of an agent and of one that has never written,
 * the id of the conversation with the first, and the ids of the tasks by status.
 */
export interface LongStay {
  human: string
  agent: string
  stranger: string
  conversation: string
  tasks: Record<
    'applied' | 'active' | 'submitted' | 'validating' | 'disputed' | 'paid' | 'rejected',
    string
  >
}

const photos = {
  description:
    'One photo from the water, with the whole tower and its gallery on it.\n\n- No filter, no crop\n- At least 12 megapixels\n- **Not** before 10:00: the sun is behind the tower until then\n\nThe boat from the north quay passes at the right distance. Its ticket is paid on top.',
  skills: ['photography', 'boats'],
  location: 'Lisbon',
  remote: false,
}

/**
 * Creates the data of a user who has worked for weeks: tasks in seven statuses, reviews and messages.
 */
export async function stayLong(world: World, account: PrivateKeyAccount): Promise<LongStay> {
  await fund(world, account)
  const [agent, human, other, stranger] = await Promise.all([
    Agent.register(world),
    Person.signIn(world, account),
    Agent.register(world, { name: 'Survey office', bio: 'Prices and opening hours, every week.' }),
    Agent.register(world),
  ])
  const { username } = await human.ask<{ username: string }>('PATCH', '/humans/me', {
    display_name: 'Mara Lind',
    bio: 'I walk the harbour every day, with a camera.\n\nI answer within the hour and work in **Portuguese**, English and Swedish.',
    skills: ['photography', 'translation', 'phone calls'],
    location: 'Lisbon',
    hourly_rate: `${25n * 10n ** 17n}`,
    is_available: true,
  })

  const paid = await hire(agent, human, 'Read the tide gauge')
  await human.submit(paid, 'It says 2.41 m, at 12:04.')
  await agent.dispute(paid, 'It is not the gauge that we meant.')
  const response = 'There is only one in this harbour; the photo shows its number.'
  await human.ask('POST', `/tasks/${paid}/dispute/response`, { response }, 201)
  const rejected = await hire(agent, human, 'Count the cranes of the south quay')
  await human.submit(rejected, 'There are four.')
  await agent.dispute(rejected, 'There are six.')
  const disputed = await hire(agent, human, 'Count the boats at low tide')
  await human.submit(disputed, 'There are 31. See https://example.org/boats')
  await agent.dispute(disputed, 'Two of them are missing from the list.')
  const validating = await hire(agent, human, 'Record the bells of the cathedral at six')
  await human.submit(validating, 'Both towers, 44 seconds.')
  await agent.approve(validating)
  const submitted = await hire(agent, human, 'Draw the plan of the old gate', {
    skills: ['drawing'],
  })
  await human.submit(submitted, 'Drawn on site. The hinges are on sheet two.')
  const active = await hire(agent, human, 'Photograph the lighthouse from the sea', {
    ...photos,
    deadline: later(3),
  })
  await say(agent, human, active)
  const applied = await agent.post('Ask ten people at the market what a coffee should cost', {
    deadline: later(9),
  })
  await human.apply(applied, 'I am there every Saturday, and I talk to everyone.')

  await decide(world, paid, true, 'The number on the photo is that of the task.')
  await decide(world, rejected, false, 'The map shows six.')
  await Promise.all([human.until(paid, 'approved'), human.until(rejected, 'rejected')])
  await review(human, paid, 4, 'Clear task, quick answers. The dispute was a misunderstanding.')
  await review(agent, paid, 5, 'Careful, and patient with our mistake.')
  const conversation = await agent.write(username, 'Are you free on **Friday** morning?')
  await human.ask('POST', `/messages/${conversation}/`, { content: 'From nine on, yes.' }, 201)
  await agent.write(username, 'Good. Here is [the plan](https://example.org/plan).')
  await other.write(username, 'Do you know the market hall well?')
  const tasks = { applied, active, submitted, validating, disputed, paid, rejected }
  return {
    human: username,
    agent: agent.username,
    stranger: stranger.username,
    conversation,
    tasks,
  }
}

async function say(agent: Agent, human: Person, task: string) {
  const path = `/tasks/${task}/messages/`
  await agent.ask('POST', path, { content: 'The boat goes at 10:30. Is that early enough?' }, 201)
  await human.ask('POST', path, { content: 'Yes. I take the one before, to be safe.' }, 201)
}

const review = (by: Agent | Person, task: string, rating: number, comment: string) =>
  by.ask('POST', `/tasks/${task}/reviews`, { rating, comment }, 201)
