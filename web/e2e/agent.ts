import { setTimeout as pause } from 'node:timers/promises'
import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  type PrivateKeyAccount,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

export interface Place {
  webUrl: string
  rpcUrl: string
  social: string
}

const token = 10n ** 18n
const week = 7 * 86_400_000

const wanted = [
  {
    title: 'Photograph the harbour at noon',
    description:
      'Ten photos of the fishing harbour, taken between 11:30 and 12:30 local time.\n\nThe north quay and the cranes should be on at least three of them. See https://example.org/harbour for the view that we mean.',
    escrow_amount: 10n * token,
    skills: ['photography'],
    location: 'Lisbon',
  },
  {
    title: 'Call three bakeries and ask for their opening hours on Sunday',
    description: 'Write down who you spoke to, and when.',
    escrow_amount: (25n * token) / 10n,
    skills: ['phone calls', 'research'],
    remote: true,
  },
  {
    title: 'Translate a letter from Portuguese',
    description: 'Two pages, handwritten. You get scans.',
    escrow_amount: 40n * token,
    skills: ['translation'],
    remote: true,
    deadline: new Date(Date.now() + week).toISOString(),
  },
  {
    title: `<img src=x onerror=alert(1)> and one word that never ends: ${'a'.repeat(90)}`,
    description: '<script>alert(1)</script> javascript:alert(1)',
    escrow_amount: token / 100n,
    skills: ['<b>bold</b>'],
    remote: true,
  },
]

/** Registers an agent that posts and funds the stories' tasks. Returns their ids by title. */
export async function postTasks(place: Place): Promise<Record<string, string>> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  await fund(place, wallet)
  const key = await register(place, wallet)
  const tasks: Record<string, string> = {}
  for (const { escrow_amount, ...task } of wanted) {
    tasks[task.title] = await post(place, wallet, key, {
      ...task,
      escrow_amount: `${escrow_amount}`,
    })
  }
  return tasks
}

/** Funds a wallet with the native currency for gas and with tokens. */
export async function fund({ webUrl }: Place, { address }: PrivateKeyAccount) {
  const answer = await patiently(() =>
    fetch(`${webUrl}/dev/faucet/${address}`, { method: 'POST', headers: { Origin: webUrl } }),
  )
  if (!answer.ok) throw new Error(`the faucet: ${answer.status} ${await answer.text()}`)
}

/** Returns the username with which a wallet's agent is registered. */
export const usernameOf = ({ address }: PrivateKeyAccount) => `harbour-${address.slice(2, 10)}`

const harbour = {
  name: 'Harbour agent',
  bio: 'I collect pictures of harbours for a museum, and pay on the day.',
}

/** Registers and verifies an agent; returns its API key. */
export async function register(
  place: Place,
  wallet: PrivateKeyAccount,
  person = harbour,
): Promise<string> {
  const profile = { wallet_address: wallet.address, username: usernameOf(wallet), ...person }
  const { challenge } = await call<{ challenge: string }>(
    place,
    'POST',
    '/agents/register',
    profile,
    {},
    428,
  )
  const signature = await wallet.signMessage({ message: challenge })
  const made = await call<{ agent_id: string; api_key: string; verification_code: string }>(
    place,
    'POST',
    '/agents/register',
    { ...profile, challenge, signature },
    {},
    201,
  )
  const posted = await fetch(`${place.social}/api/v1/statuses`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${profile.username}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ status: made.verification_code }),
  })
  const { url } = (await posted.json()) as { url: string }
  await call(place, 'POST', `/agents/${made.agent_id}/verify`, { post_url: url })
  return made.api_key
}

/** Creates a task, locks its payment, waits for the confirmation and returns the task's id. */
export async function post(
  place: Place,
  account: PrivateKeyAccount,
  key: string,
  body: object,
): Promise<string> {
  const headers = { 'X-API-Key': key }
  const task = await call<{ id: string; escrow_amount: string; escrow_address: Hex }>(
    place,
    'POST',
    '/tasks/',
    body,
    headers,
    201,
  )
  const { token: paid } = await call<{ token: { address: Hex } }>(
    place,
    'GET',
    '/config/contracts',
    undefined,
    headers,
  )
  const { actions } = await call<{
    actions: { action: string; transaction?: { to: Hex; data: Hex } }[]
  }>(place, 'GET', `/tasks/${task.id}/next`, undefined, headers)
  const lock = actions.find(({ action }) => action === 'fund')?.transaction
  if (!lock) throw new Error('there is no transaction to fund the task with')
  const transport = http(place.rpcUrl)
  const wallet = createWalletClient({ account, transport })
  const node = createPublicClient({ transport, pollingInterval: 100 })
  const approval = await wallet.writeContract({
    chain: null,
    address: paid.address,
    abi: erc20Abi,
    functionName: 'approve',
    args: [task.escrow_address, BigInt(task.escrow_amount)],
  })
  await node.waitForTransactionReceipt({ hash: approval })
  const hash = await wallet.sendTransaction({ chain: null, to: lock.to, data: lock.data })
  await node.waitForTransactionReceipt({ hash })
  await call(place, 'POST', `/tasks/${task.id}/confirm-create`, { tx_hash: hash }, headers)
  return task.id
}

// In ms. On a busy machine the server may lag behind the chain and respond that the caller should
// retry.
const patience = 60_000
const behind = 503

async function patiently(send: () => Promise<Response>): Promise<Response> {
  let answer = await send()
  for (const end = Date.now() + patience; answer.status === behind && Date.now() < end; ) {
    await pause(100)
    answer = await send()
  }
  return answer
}

/** Sends one API request and checks the response status. */
export async function call<T>(
  { webUrl }: Place,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  expected = 200,
): Promise<T> {
  const answer = await patiently(() =>
    fetch(`${webUrl}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  )
  const text = await answer.text()
  if (answer.status !== expected) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text) as T
}
