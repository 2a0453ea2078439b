'use strict'
// What the contracts are asked and told: the selectors of their functions, and nothing else of them.
const selectors = {
  'cancelTask(uint256)': '0x7eec20a8',
  'agentApproveTask(uint256)': '0x4807c0e5',
  'disputeTask(uint256)': '0x97d9c23e',
  'settle(uint256)': '0x8df82800',
  'emergencyRelease(uint256)': '0x39c28c62',
  'submitTask(uint256,bytes32)': '0x2df145e2',
  'withdrawStake(uint256)': '0x25d5971f',
  'rejectApplication(uint256)': '0xc5e83e97',
  'withdrawCredit(address)': '0x6c8cc9d9',
  'withdrawable(address)': '0xce513b6f',
  'getTask(uint256)': '0x1d65e77e',
  'getStake(uint256)': '0xce325bf8',
  'due(uint256)': '0x6ff50b3f',
  'disputedBy(uint256)': '0xef524046',
  'applicationStaking()': '0x07ac0440',
  'token()': '0xfc0c546a',
  'symbol()': '0x95d89b41',
}
// In seconds, as the contracts have them.
const settleDelay = 37 * 86400
const emergencyDelay = 30 * 86400
const statuses = ['', 'open', 'in progress', 'delivered', 'disputed', 'paid', 'refunded', 'cancelled']
const byAgent = 1

// Each exit: whose it is, in which statuses the task must be, what it does. Whether it is open
// now, the contract itself says: the call is tried before it is offered.
const exits = [
  { call: 'cancelTask(uint256)', role: 'agent', in: [1, 2], name: 'Cancel', does: 'The task ends and its amount comes back to you; applicants get their stakes back.' },
  { call: 'cancelTask(uint256)', role: 'human', in: [2], name: 'Give the task up', does: 'The task ends: its amount goes back to the agent, and your stake comes back to you.' },
  { call: 'submitTask(uint256,bytes32)', role: 'human', in: [2], name: 'Deliver', needs: 'Hash of the work (0x and 64 digits)', does: 'The hash of your work is on the chain, and time runs: if the agent does nothing, anyone can pay you 37 days from now.' },
  { call: 'agentApproveTask(uint256)', role: 'agent', in: [3, 4], name: 'Approve', does: 'The human is paid: by the validators, or 72 hours from now by anyone. It cannot be taken back.' },
  { call: 'disputeTask(uint256)', role: 'both', in: [3], name: 'Dispute', does: 'The validators decide. If they do not, anyone can pay the human: after the agent’s dispute in 5 days, after the human’s in 37.' },
  { call: 'settle(uint256)', role: 'both', in: [3, 4], name: 'Settle', does: 'The time for a decision is over: the human is paid the amount without the fee, and gets the stake back.' },
  { call: 'emergencyRelease(uint256)', role: 'human', in: [3, 4], name: 'Release in an emergency', does: 'Nobody has acted for 30 days: you are paid the amount without the fee, and get your stake back.' },
]

const place = document.documentElement.dataset
const input = (id) => document.getElementById(id)
const wallets = new Map()
// What is under way. Beginning another thing ends it: nobody waits for a node that does not answer.
let running = 0
// In ms: how long an answer of the node is waited for, and how often the chain is asked for a transaction.
const patience = 20_000
const often = 1000

function element(name, text, className) {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className) made.className = className
  return made
}

function say(text, bad) {
  const said = input('said')
  said.textContent = text
  said.className = bad ? 'bad' : ''
}

const pad = (hex) => hex.replace('0x', '').toLowerCase().padStart(64, '0')
const data = (call, ...args) => selectors[call] + args.map(pad).join('')
const number = (n) => `0x${BigInt(n).toString(16)}`

/** What the contracts answered, as words of 32 bytes. A node can say anything: it must be at least so many. */
function words(hex, atLeast) {
  const isAnswer = typeof hex === 'string' && /^0x([0-9a-fA-F]{64})*$/.test(hex) && hex.length >= 2 + 64 * atLeast
  if (!isAnswer) throw senseless()
  return hex.slice(2).toLowerCase().match(/.{64}/g) ?? []
}

const senseless = () => new Error('What the node answers makes no sense. Name another one.')
const isHex = (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(value)
const short = (text) => String(text ?? 'no reason was given').slice(0, 300)
const asNumber = (word) => Number(BigInt(`0x${word}`))
const asAddress = (word) => `0x${word.slice(24)}`
const when = (seconds) => new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A node: the one that is named, else the wallet's own. */
function nodeOf(url, provider) {
  let id = 0
  return async (method, ...params) => {
    if (!url) return provider.request({ method, params })
    id += 1
    const ask = () => fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.timeout(patience),
    })
    const answer = await answered(ask).catch(() => {
      throw new Error('The node cannot be reached, or does not answer as nodes do. Name another one.')
    })
    if (typeof answer !== 'object' || answer === null) throw senseless()
    if (answer.error) {
      const { code, data, message } = answer.error
      throw Object.assign(new Error(short(message)), { fromNode: true, code, data })
    }
    return answer.result
  }
}

/** What a node answers; one that wants fewer questions is asked again, more and more slowly. */
async function answered(ask) {
  for (let pause = 500; ; pause *= 2) {
    const response = await ask()
    if (response.status !== 429 || pause > 8000) return response.json()
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Whether it was the contract that refused a call, in the words of any node. */
const isRefusal = ({ code, data, message }) => code === 3 || data !== undefined || /revert|vm exec/i.test(message)

const view = (ask, to, bytes, from) => ask('eth_call', { to, data: bytes, ...(from && { from }) }, 'latest')

/** Whether the contract would let the wallet do this now. */
async function opens(ask, wallet, to, bytes) {
  try {
    await view(ask, to, bytes, wallet)
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    return false
  }
}

/** All logs of the contracts that name the wallet, in ranges as wide as the node takes. */
async function mentions(ask, contracts, wallet) {
  const height = await ask('eth_blockNumber')
  if (!isHex(height)) throw senseless()
  const last = Number(height)
  const me = `0x${pad(wallet)}`
  const found = []
  let width = last + 1
  for (let from = 0; from <= last; ) {
    const to = Math.min(last, from + width - 1)
    const range = { address: contracts, fromBlock: number(from), toBlock: number(to) }
    try {
      for (const topics of [[null, null, me], [null, null, null, me]]) found.push(...logsIn(await ask('eth_getLogs', { ...range, topics })))
    } catch (error) {
      if (width <= 1 || !(error.fromNode || error.code !== undefined)) throw error
      width = Math.ceil((to - from + 1) / 2)
      continue
    }
    from = to + 1
    width += Math.ceil(width / 8)
    say(`Reading the chain: block ${to} of ${last}.`)
  }
  return found
}

/** The logs in an answer, as far as they have what is read of them. */
function logsIn(answer) {
  const isLog = ({ address, topics }) => /^0x[0-9a-fA-F]{40}$/.test(address) && /^0x[0-9a-fA-F]{64}$/.test(topics[1])
  try {
    return answer.filter(isLog)
  } catch {
    throw senseless()
  }
}

async function readMarket(ask, chain, escrow) {
  const answered = await ask('eth_chainId')
  if (!isHex(answered)) throw senseless()
  if (BigInt(answered) !== chain) throw new Error(`The node is one of chain ${BigInt(answered)}, not of chain ${chain}. Nothing was sent.`)
  if ((await ask('eth_getCode', escrow, 'latest')) === '0x') throw new Error('There is no contract at this address on this chain.')
  const staking = asAddress(words(await view(ask, escrow, data('applicationStaking()')), 1)[0])
  const token = asAddress(words(await view(ask, escrow, data('token()')), 1)[0])
  const symbol = words(await view(ask, token, data('symbol()')), 2)
  const bytes = symbol.slice(2).join('').slice(0, 2 * Math.min(asNumber(symbol[1]), 20))
  const text = bytes.match(/../g)?.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('') ?? ''
  return { chain, escrow, staking, symbol: text.replace(/[^ -~]/g, '?') }
}

function amount(wei, symbol) {
  const digits = BigInt(wei).toString().padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return `${digits.slice(0, -18)}${fraction ? `.${fraction}` : ''} ${symbol}`
}

/** What the wallet has in the contracts, the newest first. */
async function holdings(ask, market, wallet) {
  const logs = await mentions(ask, [market.escrow, market.staking], wallet)
  const ids = (contract) => {
    const named = logs.filter(({ address }) => address.toLowerCase() === contract.toLowerCase())
    return [...new Set(named.map(({ topics }) => BigInt(topics[1])))].sort((a, b) => (a < b ? 1 : -1))
  }
  const items = []
  for (const contract of [market.escrow, market.staking]) {
    const [credit] = words(await view(ask, contract, data('withdrawable(address)', wallet)), 1)
    if (BigInt(`0x${credit}`) > 0n) items.push(creditItem(market, contract, wallet, credit))
  }
  for (const id of ids(market.escrow)) items.push(await taskItem(ask, market, wallet, id))
  for (const id of ids(market.staking)) items.push(await stakeItem(ask, market, wallet, id))
  return items.filter(Boolean)
}

function creditItem(market, to, wallet, credit) {
  return {
    title: 'A payment that did not get through',
    lines: [`${amount(`0x${credit}`, market.symbol)} wait for you in the contract ${to}.`],
    actions: [{ name: 'Fetch it', does: 'The tokens are sent to your wallet.', to, data: data('withdrawCredit(address)', wallet) }],
  }
}

async function taskItem(ask, market, wallet, id) {
  const task = words(await view(ask, market.escrow, data('getTask(uint256)', number(id))), 9)
  const mine = pad(wallet)
  const role = task[0] === mine ? 'agent' : task[1] === mine ? 'human' : undefined
  const status = asNumber(task[4])
  if (!role) return undefined
  const lines = [`${amount(`0x${task[2]}`, market.symbol)}, ${statuses[status] ?? 'in a state that this page does not know'}. You are its ${role === 'agent' ? 'agent' : 'human'}.`]
  if (status === 3 || status === 4) lines.push(await waits(ask, market, id, task, role))
  const actions = []
  for (const exit of exits) {
    if (!exit.in.includes(status) || (exit.role !== role && exit.role !== 'both')) continue
    const bytes = data(exit.call, number(id))
    const trial = exit.needs ? bytes + pad('0x1') : bytes
    if (await opens(ask, wallet, market.escrow, trial)) actions.push({ ...exit, to: market.escrow, data: bytes })
  }
  return { title: `Task ${id}`, lines, actions }
}

/** When time alone opens a way. */
async function waits(ask, market, id, task, role) {
  const [disputedBy] = words(await view(ask, market.escrow, data('disputedBy(uint256)', number(id))), 1)
  const [due] = words(await view(ask, market.escrow, data('due(uint256)', number(id))), 1)
  const soon = asNumber(task[5]) === 1 || asNumber(disputedBy) === byAgent
  const last = asNumber(task[8])
  const settles = `Anyone can settle it from ${when(soon ? asNumber(due) : last + settleDelay)}.`
  return role === 'human' ? `${settles} You can release it alone from ${when(last + emergencyDelay)}.` : settles
}

async function stakeItem(ask, market, wallet, id) {
  const stake = words(await view(ask, market.staking, data('getStake(uint256)', number(id))), 6)
  const own = stake[0] === pad(wallet)
  if (asNumber(stake[5]) !== 1) return undefined // it is not locked, or goes with its task
  const call = own ? 'withdrawStake(uint256)' : 'rejectApplication(uint256)'
  const action = { to: market.staking, data: data(call, number(id)) }
  if (!(await opens(ask, wallet, action.to, action.data))) return undefined
  return {
    title: `Application ${id}, for task ${BigInt(`0x${stake[2]}`)}`,
    lines: [`${own ? 'Your' : 'Its'} stake of ${amount(`0x${stake[3]}`, market.symbol)} is locked until ${when(asNumber(stake[4]))} or the application’s end.`],
    actions: [
      own
        ? { ...action, name: 'Take the stake back', does: 'The application ends and your stake comes back to you.' }
        : { ...action, name: 'Reject', does: 'The application ends and its stake goes to the treasury.' },
    ],
  }
}

/** Moves the wallet to the chain; nothing is sent to another one. */
async function moveWallet(provider, chain) {
  const isThere = async () => BigInt(await provider.request({ method: 'eth_chainId' })) === chain
  if (await isThere()) return
  say(`Move your wallet to chain ${chain}.`)
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: number(chain) }] })
  } catch (error) {
    if (error.code === declined) throw error
  }
  if (!(await isThere())) throw new Error(`Your wallet is on another chain. Move it to chain ${chain}, then try again. Nothing was sent.`)
}

/** Has the wallet send a call, once it is on the right chain, and waits for it. */
async function send(context, action, argument, run) {
  const { ask, provider, wallet, market } = context
  await moveWallet(provider, market.chain)
  const bytes = action.data + (argument ? pad(argument) : '')
  await view(ask, action.to, bytes, wallet)
  say('Look at your wallet.')
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [{ from: wallet, to: action.to, data: bytes, value: '0x0' }] })
  for (;;) {
    if (run !== running) throw superseded
    say(`Sent: ${hash}. Waiting for the chain.`)
    // What was sent is sent: a node that does not answer is asked again.
    const receipt = await ask('eth_getTransactionReceipt', hash).catch(() => undefined)
    if (isHex(receipt?.status)) return { hash, done: BigInt(receipt.status) === 1n }
    await new Promise((resolve) => setTimeout(resolve, often))
  }
}

async function act(context, action, argument) {
  await alone(async (run) => {
    const { hash, done } = await send(context, action, argument, run)
    await list(context, run).catch((error) => {
      if (error === superseded) throw error // else the list is as it was, and what was done is told
    })
    say(done ? `Done: ${action.name}. Transaction ${hash}.` : `The chain refused the transaction ${hash}.`, !done)
  })
}

// The code of a no in the wallet.
const declined = 4001
const superseded = new Error('Something else was begun.')

/** One thing at a time: what is begun ends what was under way. What goes wrong is said. */
async function alone(work) {
  running += 1
  const run = running
  document.body.setAttribute('aria-busy', 'true')
  try {
    await work(run)
  } catch (error) {
    if (run !== running) return
    const isNo = error?.code === declined
    say(isNo ? 'You declined in your wallet; nothing was sent.' : `That did not work: ${short(error?.message)}`, !isNo)
  } finally {
    if (run === running) document.body.removeAttribute('aria-busy')
  }
}

function button(context, item, action) {
  const row = element('div', undefined, 'row')
  let argument
  if (action.needs) {
    const label = element('label', action.needs)
    argument = element('input')
    argument.pattern = '0x[0-9a-fA-F]{64}'
    argument.required = true
    label.append(argument)
    row.append(label)
  }
  const press = element('button', action.name)
  press.type = 'button'
  press.setAttribute('aria-label', `${action.name}: ${item.title}`)
  press.addEventListener('click', () => {
    if (argument && !argument.reportValidity()) return
    act(context, action, argument?.value)
  })
  row.append(press)
  const about = element('p', `${action.does} You sign one transaction to ${action.to}, which costs only gas.`, 'soft')
  return [row, about]
}

/** Shows what the wallet has, and the ways out. */
async function list(context, run) {
  const items = await holdings(context.ask, context.market, context.wallet)
  if (run !== running) throw superseded
  const found = input('found')
  found.replaceChildren(element('h2', `Of ${context.wallet}`))
  for (const item of items) {
    const card = element('article')
    card.append(element('h3', item.title), ...item.lines.map((line) => element('p', line)))
    for (const action of item.actions) card.append(...button(context, item, action))
    found.append(card)
  }
  say(items.length ? `Found ${items.length}.` : 'This wallet has nothing in the contracts.')
}

async function connect(provider) {
  if (!input('ask').reportValidity()) return
  await alone(async (run) => {
    input('found').replaceChildren()
    say('Asking your wallet.')
    const [wallet] = await provider.request({ method: 'eth_requestAccounts' })
    const chain = BigInt(input('chain').value.trim())
    const node = input('node').value.trim()
    if (!node) await moveWallet(provider, chain) // its own node is asked
    const ask = nodeOf(node, provider)
    say('Reading the contracts.')
    const market = await readMarket(ask, chain, input('escrow').value.trim())
    await list({ ask, provider, wallet, market }, run)
  })
}

function offer({ info, provider }) {
  if (wallets.has(info.uuid)) return
  wallets.set(info.uuid, provider)
  const press = element('button', `Look with ${info.name}`)
  press.type = 'button'
  press.addEventListener('click', () => connect(provider))
  input('wallets').append(press)
}

input('chain').value = place.chain ?? ''
input('escrow').value = place.escrow ?? ''
input('node').value = place.node ?? ''
if (location.protocol === 'file:') input('copy').remove()
input('ask').addEventListener('submit', (event) => event.preventDefault())
window.addEventListener('eip6963:announceProvider', ({ detail }) => offer(detail))
window.dispatchEvent(new Event('eip6963:requestProvider'))
setTimeout(() => {
  if (wallets.size) return
  if (window.ethereum) offer({ info: { uuid: 'injected', name: 'your wallet' }, provider: window.ethereum })
  else say('No wallet is in this browser. Install one, or open this page in the browser of your wallet.', true)
}, 1000)
