'use strict'
// The timeout of a request to the node, and the polling interval for a receipt, in milliseconds.
const patience = 20_000
const often = 1000

const pad = (hex) => hex.replace('0x', '').toLowerCase().padStart(64, '0')
const data = (call, ...args) => selectors[call] + args.map(pad).join('')
const number = (n) => `0x${BigInt(n).toString(16)}`

/** Splits a contract's result into words of 32 bytes. Throws if there are fewer than `atLeast`. */
function words(hex, atLeast) {
  const isAnswer = typeof hex === 'string' && /^0x([0-9a-fA-F]{64})*$/.test(hex) && hex.length >= 2 + 64 * atLeast
  if (!isAnswer) throw senseless()
  return hex.slice(2).toLowerCase().match(/.{64}/g) ?? []
}

const senseless = () => Object.assign(new Error('The node returned an invalid response. Enter another node.'), { isSenseless: true })
const isHex = (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(value)
const isAddress = (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
const isHash = (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
const short = (text) => String(text ?? 'no reason was given').slice(0, 300)
const asNumber = (word) => Number(BigInt(`0x${word}`))
const asAddress = (word) => `0x${word.slice(24)}`

/** Formats a block time, in seconds, as a local date and time. */
function when(seconds) {
  if (seconds > 1e11) throw senseless()
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Parses an amount of tokens, in wei. Throws from 2^128, which exceeds any real balance. */
function tokens(word) {
  const wei = BigInt(`0x${word}`)
  if (wei >= 2n ** 128n) throw senseless()
  return wei
}

function amount(wei, symbol) {
  const digits = wei.toString().padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return `${digits.slice(0, -18)}${fraction ? `.${fraction}` : ''}\u00a0${symbol}`
}

/** Returns a client for the node at `url`, or for the wallet's node if there is no URL. */
function nodeOf(url, provider) {
  if (!url) return (method, ...params) => provider.request({ method, params })
  if (!/^https?:/i.test(url)) throw new Error('The address of a node must begin with https:// or http://.')
  let id = 0
  return async (method, ...params) => {
    id += 1
    const ask = () => fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.timeout(patience),
    })
    const answer = await answered(ask).catch(() => {
      throw new Error(unreachable(url))
    })
    if (typeof answer !== 'object' || answer === null) throw senseless()
    if (answer.error) {
      const { code, data, message } = answer.error
      throw Object.assign(new Error(short(message)), { fromNode: true, code, data })
    }
    return answer.result
  }
}

/** Explains why the node may be unreachable, and what to do. */
function unreachable(url) {
  const isMixed = location.protocol === 'https:' && /^http:\/\/(?!localhost\b|127\.|\[::1])/i.test(url)
  if (isMixed) {
    return 'Your browser does not let an https page connect to an http:// node. Save a copy of this page and open that, or enter an https:// node.'
  }
  return 'The node is unreachable or returned an unexpected response; some nodes reject requests from browsers. Enter another node, or leave the field empty to use your wallet’s.'
}

/** Returns the node's response. Retries a rate-limited request with exponential backoff. */
async function answered(ask) {
  for (let pause = 500; ; pause *= 2) {
    const response = await ask()
    if (response.status !== 429 || pause > 8000) return response.json()
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Reports whether the contract reverted the call. Nodes report a revert in different ways. */
const isRefusal = (error) => error?.code === 3 || error?.data !== undefined || /revert|vm exec/i.test(error?.message)

const view = (ask, to, bytes, from) => ask('eth_call', { to, data: bytes, ...(from && { from }) }, 'latest')

/** Returns a reader that records its results in `seen`, for checkShown. */
const noting = (ask, seen) => async (atLeast, to, call, ...args) => {
  const bytes = data(call, ...args)
  const answer = await view(ask, to, bytes)
  const found = words(answer, atLeast)
  seen.push({ to, bytes, answer })
  return found
}

/** Reports whether the contract would accept this call from the wallet now. */
async function opens(ask, wallet, to, bytes) {
  try {
    await view(ask, to, bytes, wallet)
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    return false
  }
}

/** Returns all logs that name the wallet. Adapts the block range to the node's limit. */
async function mentions(ask, contracts, wallet) {
  const height = await ask('eth_blockNumber')
  if (!isHex(height) || !Number.isSafeInteger(Number(height))) throw senseless()
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

/** Returns the logs in a response that have the required fields. */
function logsIn(answer) {
  try {
    return answer.filter(({ address, topics }) => isAddress(address) && isHash(topics[1]))
  } catch {
    throw senseless()
  }
}

/** Reads the addresses of the market's other contracts from `escrow`. */
async function readMarket(ask, chain, escrow) {
  const answered = await ask('eth_chainId')
  if (!isHex(answered)) throw senseless()
  if (BigInt(answered) !== chain) throw new Error(`The node is on chain ${BigInt(answered)}, not on chain ${chain}. Nothing was sent.`)
  if ((await ask('eth_getCode', escrow, 'latest')) === '0x') throw new Error('There is no contract at this address on this chain.')
  const seen = []
  const look = noting(ask, seen)
  try {
    const staking = asAddress((await look(1, escrow, 'applicationStaking()'))[0])
    const token = asAddress((await look(1, escrow, 'token()'))[0])
    return { chain, escrow, staking, seen, symbol: await symbolOf(ask, token) }
  } catch (error) {
    if (!isRefusal(error) && !error.isSenseless) throw error
    throw new Error('The contract at this address is not an escrow contract. Check the address; if it is correct, enter another node.')
  }
}

/** Returns the token's symbol. Its absence must not block withdrawals. */
async function symbolOf(ask, token) {
  try {
    const symbol = words(await view(ask, token, data('symbol()')), 3)
    const bytes = symbol.slice(2).join('').slice(0, 2 * Math.min(asNumber(symbol[1]), 20))
    const text = bytes.match(/../g)?.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('') ?? ''
    return text.replace(/[^ -~]/g, '?') || 'tokens'
  } catch (error) {
    if (!isRefusal(error) && !error.isSenseless) throw error
    return 'tokens'
  }
}
