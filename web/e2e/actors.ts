import { setTimeout as pause } from 'node:timers/promises'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  type PrivateKeyAccount,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { call, fund, type Place, post, register, usernameOf } from './agent'
import type { World } from './world'

// Users who act through the API instead of a browser, and functions that prepare the browser's user.

const patience = 60_000

interface Sent {
  to: Hex
  [calldata: string]: unknown
}

/** A user with a wallet who calls the API with the credentials in `headers`. */
class Actor {
  readonly world: World
  readonly account: PrivateKeyAccount
  protected readonly headers: Record<string, string>

  constructor(world: World, account: PrivateKeyAccount, headers: Record<string, string>) {
    this.world = world
    this.account = account
    this.headers = headers
  }

  ask<T>(method: string, path: string, body?: object, expected?: number): Promise<T> {
    return call<T>(this.world, method, path, body, this.headers, expected)
  }

  async send(to: Hex, data: Hex): Promise<Hex> {
    const transport = http(this.world.rpcUrl)
    const wallet = createWalletClient({ account: this.account, transport })
    const node = createPublicClient({ transport, pollingInterval: 100 })
    const hash = await wallet.sendTransaction({ chain: null, to, data })
    const { status } = await node.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${hash} was reverted`)
    return hash
  }

  /** Requests the call data for an action from the API and sends the transaction. */
  async act(path: string, calldata: string, body?: object, expected?: number): Promise<Hex> {
    const made = await this.ask<Sent>('POST', path, body, expected)
    return this.send(made.to, made[calldata] as Hex)
  }

  /** Adds a file to a task and returns its id. */
  async upload(taskId: string, filename: string, text: string): Promise<string> {
    const body = new FormData()
    body.append('file', new Blob([text], { type: 'text/plain' }), filename)
    const url = `${this.world.webUrl}/api/v1/tasks/${taskId}/files/`
    const answer = await fetch(url, { method: 'POST', headers: this.headers, body })
    if (answer.status !== 201) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { id: string }).id
  }

  /** Waits until the task has this status. */
  async until(taskId: string, status: string) {
    for (const end = Date.now() + patience; ; await pause(100)) {
      const task = await this.ask<{ status: string }>('GET', `/tasks/${taskId}/`)
      if (task.status === status) return
      if (Date.now() > end) throw new Error(`the task is ${task.status}, not ${status}`)
    }
  }
}

/** A verified agent with funds. */
export class Agent extends Actor {
  private readonly key: string

  private constructor(world: World, account: PrivateKeyAccount, key: string) {
    super(world, account, { 'X-API-Key': key })
    this.key = key
  }

  static async register(world: World, person?: { name: string; bio: string }): Promise<Agent> {
    const account = privateKeyToAccount(generatePrivateKey())
    await fund(world, account)
    return new Agent(world, account, await register(world, account, person))
  }

  get username() {
    return usernameOf(this.account)
  }

  /** Sends a message to the user with this name and returns the conversation's id. */
  async write(username: string, content: string): Promise<string> {
    const sent = await this.ask<{ conversation_id: string }>(
      'POST',
      '/messages/',
      { username, content },
      201,
    )
    return sent.conversation_id
  }

  /** Posts and funds a task with an amount of ten tokens, from which the fee is deducted. */
  post(title: string, more: object = {}): Promise<string> {
    const task = {
      title,
      description: 'As agreed.',
      escrow_amount: `${10n ** 19n}`,
      skills: ['photography'],
      remote: true,
      ...more,
    }
    return post(this.world, this.account, this.key, task)
  }

  /** Waits until the task has an application that can be decided, and returns its id. */
  private async pending(taskId: string): Promise<string> {
    for (const end = Date.now() + patience; ; await pause(100)) {
      const { applications } = await this.ask<{ applications: { id: string; status: string }[] }>(
        'GET',
        `/tasks/${taskId}/applications`,
      )
      const [newest] = applications
      if (newest?.status === 'pending') return newest.id
      if (Date.now() > end) throw new Error(`the application is ${newest?.status}`)
    }
  }

  /** Accepts the newest application of a task. */
  async accept(taskId: string) {
    const path = `/tasks/${taskId}/applications/${await this.pending(taskId)}/accept`
    await this.act(path, 'accept_application_calldata')
    await this.until(taskId, 'active')
  }

  /** Rejects the newest application of a task. */
  async reject(taskId: string, reason: string) {
    const path = `/tasks/${taskId}/applications/${await this.pending(taskId)}/reject`
    await this.act(path, 'reject_application_calldata', { reason })
  }

  async dispute(taskId: string, reason: string) {
    await this.act(`/tasks/${taskId}/dispute`, 'dispute_task_calldata', { reason })
    await this.until(taskId, 'disputed')
  }

  async approve(taskId: string) {
    await this.act(`/tasks/${taskId}/approve`, 'approve_task_calldata', {})
    await this.until(taskId, 'validating')
  }
}

/** A human who signs in through the API, without a browser. */
export class Person extends Actor {
  static async signIn(world: World, account: PrivateKeyAccount): Promise<Person> {
    const origin = { Origin: world.webUrl }
    const { message } = await call<{ message: string }>(
      world,
      'GET',
      `/auth/siwe/message?address=${account.address}`,
    )
    const signature = await account.signMessage({ message })
    const answer = await fetch(`${world.webUrl}/api/v1/auth/siwe/login`, {
      method: 'POST',
      headers: { ...origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ message, signature }),
    })
    if (!answer.ok) throw new Error(`sign in: ${answer.status} ${await answer.text()}`)
    const { csrf_token } = (await answer.json()) as { csrf_token: string }
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    return new Person(world, account, {
      ...origin,
      Cookie: cookies.join('; '),
      'X-CSRF-Token': csrf_token,
    })
  }

  /** Applies for a task and locks the stake. */
  async apply(taskId: string, message = 'I can do this.') {
    const made = await this.ask<{
      token_address: Hex
      approve_calldata: Hex
      staking_address: Hex
      lock_calldata: Hex
      application: { id: string }
    }>('POST', `/tasks/${taskId}/applications`, { application_message: message }, 201)
    await this.send(made.token_address, made.approve_calldata)
    await this.send(made.staking_address, made.lock_calldata)
    for (const end = Date.now() + patience; ; await pause(100)) {
      const { applications } = await this.ask<{ applications: { id: string; status: string }[] }>(
        'GET',
        '/humans/me/applications',
      )
      const mine = applications.find(({ id }) => id === made.application.id)
      if (mine?.status === 'pending') return
      if (Date.now() > end) throw new Error(`the application is ${mine?.status}`)
    }
  }

  async submit(taskId: string, note: string, fileIds: string[] = [], link?: string) {
    await this.act(
      `/tasks/${taskId}/submission`,
      'submit_task_calldata',
      { note, file_ids: fileIds, ...(link && { proof_url: link }) },
      201,
    )
    await this.until(taskId, 'submitted')
  }

  /** Submits a verdict on the task, as a validator of its panel. */
  async vote(taskId: string, approved: boolean, reason: string) {
    const { validations } = await this.ask<{
      validations: { task_id: string; typed_data: Record<'approve' | 'reject', TypedData> }[]
    }>('GET', '/validations')
    const found = validations.find(({ task_id }) => task_id === taskId)
    if (!found) throw new Error('the task needs no verdict')
    const signature = await this.account.signTypedData(
      found.typed_data[approved ? 'approve' : 'reject'],
    )
    await this.ask('POST', `/tasks/${taskId}/verdicts`, { approved, reason, signature }, 201)
  }
}

type TypedData = Parameters<PrivateKeyAccount['signTypedData']>[0]

/** Registers an agent that hires this account's user for a new task. */
export async function hired(
  world: World,
  account: PrivateKeyAccount,
  title: string,
  more?: object,
) {
  await fund(world, account)
  const [agent, human] = await Promise.all([Agent.register(world), Person.signIn(world, account)])
  return { agent, human, task: await hire(agent, human, title, more) }
}

/** Posts a task, accepts the human for it and returns its id. */
export async function hire(agent: Agent, human: Person, title: string, more?: object) {
  const task = await agent.post(title, more)
  await human.apply(task)
  await agent.accept(task)
  return task
}

/** Submits the same verdict from as many validators as the quorum requires. */
export async function decide(world: World, taskId: string, approved: boolean, reason: string) {
  for (const key of world.validatorKeys.slice(0, 2)) {
    const validator = await Person.signIn(world, privateKeyToAccount(key as Hex))
    await validator.vote(taskId, approved, reason)
  }
}

/** Sends a development method, such as anvil_mine, to the node of the test world. */
export async function ask(world: Place, method: string, ...params: unknown[]): Promise<unknown> {
  const answer = await fetch(world.rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await answer.json()) as { result: unknown; error?: object }
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}

/** Advances the chain's clock, which all stories share. */
export async function wait(world: World, seconds: number) {
  await ask(world, 'evm_increaseTime', seconds)
  await ask(world, 'evm_mine')
}

async function tokenOf(world: World): Promise<Address> {
  const { token } = await call<{ token: { address: Address } }>(world, 'GET', '/config/contracts')
  return token.address
}

/** Returns an account's token balance in wei. */
export async function balance(world: World, account: Address): Promise<bigint> {
  return createPublicClient({ transport: http(world.rpcUrl) }).readContract({
    address: await tokenOf(world),
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  })
}

// EVM code that reverts without a reason.
const refusing: Hex = '0x5f5ffd'

/** Makes the token reject every call while `during` runs. */
export async function withoutToken<T>(world: World, during: () => Promise<T>): Promise<T> {
  return withCode(world, await tokenOf(world), refusing, during)
}

/** Replaces the code at an address while `during` runs. */
export async function withCode<T>(
  world: World,
  address: Address,
  code: Hex,
  during: () => Promise<T>,
): Promise<T> {
  const before = await ask(world, 'eth_getCode', address, 'latest')
  await ask(world, 'anvil_setCode', address, code)
  try {
    return await during()
  } finally {
    await ask(world, 'anvil_setCode', address, before)
  }
}
