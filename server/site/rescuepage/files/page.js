const place = document.documentElement.dataset
const input = (id) => document.getElementById(id)
const wallets = new Map()
// The current run. Starting another run supersedes it, so that a slow node does not block the page.
let running = 0
// EIP-1193: the user rejected the request.
const declined = 4001
const superseded = new Error('Replaced by another action.')

/** Returns the text as nodes. Browsers translate neither its amounts nor its addresses and hashes. */
function marked(text) {
  return String(text).split(/(0x[0-9a-fA-F]{8,}|\d[\d.]*\u00a0\S+)/).map((part, place) => {
    if (place % 2 === 0) return part
    const fixed = document.createElement('span')
    fixed.translate = false
    fixed.textContent = part
    return fixed
  })
}

function element(name, text, className) {
  const made = document.createElement(name)
  if (text !== undefined) made.append(...marked(text))
  if (className) made.className = className
  return made
}

function say(text, bad) {
  const said = input('said')
  said.replaceChildren(...marked(text))
  said.className = bad ? 'bad' : ''
}

/** Switches the wallet to the chain. Throws if the wallet stays on another chain. */
async function moveWallet(provider, chain) {
  const isThere = async () => BigInt(await provider.request({ method: 'eth_chainId' })) === chain
  if (await isThere()) return
  say(`Switch your wallet to chain ${chain}.`)
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: number(chain) }] })
  } catch (error) {
    if (error.code === declined) throw error
  }
  if (!(await isThere())) throw new Error(`Your wallet is on another chain. Switch it to chain ${chain}, then try again. Nothing was sent.`)
}

/** Throws if the displayed data is out of date, or if the wallet's node returns different data. */
async function checkShown({ ask, provider, market }, seen) {
  const late = () => new Promise((resolve) => setTimeout(resolve, patience / 4))
  const theirs = ({ to, bytes }) => Promise.race([view(nodeOf('', provider), to, bytes), late()])
  // An unavailable node is not a contradiction.
  const differs = (asked) => async (one) => {
    const now = await asked(one).catch(() => undefined)
    return typeof now === 'string' && now.toLowerCase() !== one.answer.toLowerCase()
  }
  const any = async (asked) => (await Promise.all([...market.seen, ...seen].map(differs(asked)))).includes(true)
  if (await any(({ to, bytes }) => view(ask, to, bytes))) throw new Error('The data on this page is out of date. Nothing was sent. Connect again to load the current data.')
  if (await any(theirs)) throw new Error('Your wallet’s node returned different data than this page shows. Nothing was sent. Enter another node, or leave the field empty to use your wallet’s node.')
}

/** Sends a call with the wallet, once it is on the right chain, and waits for the receipt. */
async function send(context, action, bytes, run) {
  const { ask, provider, wallet, market } = context
  await moveWallet(provider, market.chain)
  await checkShown(context, action.seen)
  if (!(await opens(ask, wallet, action.to, bytes))) throw new Error('The contract does not allow this now. Nothing was sent. Connect again to see what it allows.')
  say('Confirm in your wallet.')
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [{ from: wallet, to: action.to, data: bytes, value: '0x0' }] })
  if (!isHash(hash)) throw new Error('Your wallet did not return the transaction hash. Check the transaction in your wallet.')
  for (;;) {
    if (run !== running) throw superseded
    say(`Sent: ${hash}. Waiting for confirmation.`)
    // The transaction is already sent: retry until the node responds.
    const receipt = await ask('eth_getTransactionReceipt', hash).catch(() => undefined)
    if (isHex(receipt?.status)) return { hash, done: BigInt(receipt.status) === 1n }
    await new Promise((resolve) => setTimeout(resolve, often))
  }
}

/** Runs a button's action; `complete` returns the full calldata. */
async function act(context, action, complete) {
  await alone(async (run) => {
    say('Reading the contracts.')
    const { hash, done } = await send(context, action, await complete(), run)
    let outdated = ''
    await list(context, run).catch((error) => {
      if (error === superseded) throw error
      outdated = ' The list could not be loaded again and may be out of date. Connect again to update it.'
    })
    say((done ? `Done: ${action.name}. Transaction ${hash}.` : `Transaction ${hash} failed.`) + outdated, !done)
  })
}

/** Runs one task at a time: a new one supersedes the current one. Shows errors to the user. */
async function alone(work) {
  running += 1
  const run = running
  document.body.setAttribute('aria-busy', 'true')
  try {
    await work(run)
  } catch (error) {
    if (run !== running) return
    const isNo = error?.code === declined
    say(isNo ? 'You cancelled in your wallet. Nothing was sent.' : `Failed: ${short(error?.message)}`, !isNo)
  } finally {
    if (run === running) document.body.removeAttribute('aria-busy')
  }
}

/** Creates a button; `about` completes its accessible name if `name` alone is ambiguous. */
function press(name, about, work, className) {
  const made = element('button', name, className)
  made.type = 'button'
  if (about) made.setAttribute('aria-label', `${name}: ${about}`)
  made.addEventListener('click', work)
  return made
}

function field(name, kind, pattern) {
  const label = element('label', name)
  const made = element(kind)
  made.required = true
  made.spellcheck = false
  made.autocomplete = 'off'
  if (pattern) made.pattern = pattern
  label.append(made)
  return { label, made }
}

function rowOf(...parts) {
  const row = element('div', undefined, 'row')
  row.append(...parts)
  return row
}

const consequence = (action) => element('p', `${action.does} You sign one transaction to ${action.to}, which costs only gas.`, 'soft')

function offered(context, item, action) {
  const argument = action.needs && field(action.needs, 'input', '0x[0-9a-fA-F]{64}')
  const button = press(action.name, item.title, () => {
    if (argument && !argument.made.reportValidity()) return
    act(context, action, () => action.data + (argument ? pad(argument.made.value) : ''))
  })
  return [argument ? rowOf(argument.label, button) : rowOf(button), consequence(action)]
}

/** Creates the card where validators sign verdicts and where anyone can send signed verdicts. */
function verdictCard(context, suggested) {
  const { label, made } = field('Task (its number on the chain)', 'input', '[1-9][0-9]{0,15}')
  made.inputMode = 'numeric'
  made.value = suggested ?? ''
  const review = element('div')
  const look = () => {
    if (!made.reportValidity()) return
    alone(async (run) => {
      review.replaceChildren()
      say('Reading the contracts.')
      const read = await readReview(context.ask, context.market, context.wallet, BigInt(made.value))
      if (run !== running) throw superseded
      review.append(...reviewed(context, read))
      say(`Task ${read.id} is shown below.`)
    })
  }
  const card = element('article')
  card.append(
    element('h3', 'Decision by validators'),
    element('p', 'Validators can decide without the server. Each signs here for free and shares the signature. Anyone who has enough signatures can submit them.'),
    rowOf(label, press('Look at the task', undefined, look, 'second')),
    review,
  )
  return card
}

/** Shows the possible decisions about a task, with the controls to sign and to send each. */
function reviewed(context, review) {
  const { label, made } = field('Signatures, one on each line', 'textarea')
  const shown = [
    element('p', `${review.amount}, for the work with the hash ${review.workHash}.`),
    element('p', `Verdicts are accepted from ${when(review.opensAt)} to ${when(review.closesAt)}. Matching verdicts needed: ${review.quorum}.`),
  ]
  const decisions = decisionsOn(review).map((each) => ({ ...each, to: context.market.escrow, seen: review.seen }))
  if (review.isValidator) {
    const buttons = decisions.map(({ approved, signs }) => press(signs, undefined, () => signInto(made, context, review, approved), 'second'))
    shown.push(element('p', 'You are one of the task’s validators. Sign only for work that you have reviewed.'), rowOf(...buttons))
  }
  shown.push(label)
  for (const decision of decisions) {
    const complete = async () => packed(decision.call, review.id, await gathered(context, review, decision.approved, made.value))
    shown.push(rowOf(press(decision.name, `Task ${review.id}`, () => act(context, decision, complete))), consequence(decision))
  }
  return shown
}

async function signInto(signatures, context, review, approved) {
  await alone(async () => {
    const line = await sign(context, review, approved)
    signatures.value = `${signatures.value.trim()}\n${line}\n`.trimStart()
    say('Signed. Share this signature. It is valid only for this decision.')
  })
}

/** Shows the wallet's tasks, stakes and credits, with their exits. */
async function list(context, run) {
  const items = await holdings(context.ask, context.market, context.wallet)
  if (run !== running) throw superseded
  const found = input('found')
  found.replaceChildren(element('h2', `Wallet ${context.wallet}`))
  for (const item of items) {
    const card = element('article')
    card.append(element('h3', item.title), ...item.lines.map((line) => element('p', line)))
    for (const action of item.actions) card.append(...offered(context, item, action))
    found.append(card)
  }
  found.append(verdictCard(context, items.find((item) => item.underReview)?.underReview))
  say(items.length ? `Items found: ${items.length}.` : 'This wallet has nothing in the contracts.')
}

async function connect(provider) {
  if (!input('ask').reportValidity()) return
  await alone(async (run) => {
    input('found').replaceChildren()
    say('Waiting for your wallet.')
    const wallet = (await provider.request({ method: 'eth_requestAccounts' }))?.[0]
    if (!isAddress(wallet)) throw new Error('Your wallet did not share an account. Unlock it, then try again.')
    const chain = BigInt(input('chain').value.trim())
    const node = input('node').value.trim()
    if (!node) await moveWallet(provider, chain) // without a node URL the page reads from the wallet's node
    const ask = nodeOf(node, provider)
    say('Reading the contracts.')
    const market = await readMarket(ask, chain, input('escrow').value.trim())
    await list({ ask, provider, wallet, market }, run)
  })
}

const noWallet = 'No wallet found in this browser. Install one, or open this page in your wallet’s own browser.'

/** Offers a wallet once, also if it announces itself and is in window.ethereum. */
function offer({ info, provider }) {
  if (wallets.has(info.uuid) || [...wallets.values()].includes(provider)) return
  wallets.set(info.uuid, provider)
  if (input('said').textContent === noWallet) say('')
  input('wallets').append(press(`Connect ${short(info.name).slice(0, 60)}`, undefined, () => connect(provider)))
}

input('chain').value = place.chain ?? ''
input('escrow').value = place.escrow ?? ''
input('node').value = place.node ?? ''
if (location.protocol === 'file:') input('copy').remove()
input('ask').addEventListener('submit', (event) => event.preventDefault())
window.addEventListener('eip6963:announceProvider', ({ detail }) => offer(detail))
window.dispatchEvent(new Event('eip6963:requestProvider'))

/** Looks for a wallet that does not announce itself. */
function lookForWallet() {
  if (window.ethereum) offer({ info: { uuid: 'injected', name: 'your wallet' }, provider: window.ethereum })
  else if (!wallets.size && input('said').textContent !== noWallet) say(noWallet, true)
}

// Some wallets set window.ethereum late and without an event.
setInterval(lookForWallet, often)
