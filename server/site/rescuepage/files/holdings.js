const statuses = ['', 'open', 'in progress', 'submitted', 'disputed', 'paid', 'refunded', 'cancelled']
const underReview = [3, 4]
const byAgent = 1

/** Describes an exit's effect for a party; fills in {amount}, {payout}, {fee} and {stake}. */
const effectOn = (task, effect) => effect.replace(/\{(\w+)\}/g, (_, name) => task[name])

/** Returns the wallet's tasks, stakes and credits in the contracts, newest first. */
async function holdings(ask, market, wallet) {
  const logs = await mentions(ask, [market.escrow, market.staking], wallet)
  const ids = (contract) => {
    const named = logs.filter(({ address }) => address.toLowerCase() === contract.toLowerCase())
    return [...new Set(named.map(({ topics }) => BigInt(topics[1])))].sort((a, b) => (a < b ? 1 : -1))
  }
  const items = []
  for (const contract of [market.escrow, market.staking]) items.push(await creditItem(ask, market, contract, wallet))
  for (const id of ids(market.escrow)) items.push(await taskItem(ask, market, wallet, id))
  for (const id of ids(market.staking)) items.push(await stakeItem(ask, market, wallet, id))
  return items.filter(Boolean)
}

async function creditItem(ask, market, to, wallet) {
  const seen = []
  const [credit] = await noting(ask, seen)(1, to, 'withdrawable(address)', wallet)
  const wei = tokens(credit)
  if (wei === 0n) return undefined
  const waiting = amount(wei, market.symbol)
  return {
    title: 'Money waiting for you',
    lines: [`${waiting} in the contract ${to}. The payment failed when it was due.`],
    actions: [{ name: 'Withdraw', does: `Sends ${waiting} to your wallet.`, to, seen, data: data('withdrawCredit(address)', wallet) }],
  }
}

/** Reads the current state of a task from the contracts, with formatted amounts. */
async function readTask(look, market, id) {
  const task = await look(10, market.escrow, 'getTask(uint256)', number(id))
  const [wei, basisPoints] = [tokens(task[2]), asNumber(task[3])]
  if (basisPoints > 10_000) throw senseless()
  const fee = (wei * BigInt(basisPoints)) / 10_000n
  const isTaken = asNumber(task[9]) !== 0
  const stake = isTaken ? tokens((await look(6, market.staking, 'getStake(uint256)', `0x${task[9]}`))[3]) : 0n
  const texts = { amount: wei, fee, payout: wei - fee, stake }
  for (const name in texts) texts[name] = amount(texts[name], market.symbol)
  return {
    ...texts,
    agent: task[0],
    human: task[1],
    status: asNumber(task[4]),
    isApproved: asNumber(task[5]) === 1,
    disputeDeadline: asNumber(task[7]),
    lastActivity: asNumber(task[8]),
  }
}

async function taskItem(ask, market, wallet, id) {
  const seen = []
  const look = noting(ask, seen)
  const task = await readTask(look, market, id)
  const mine = pad(wallet)
  const role = task.agent === mine ? 'agent' : task.human === mine ? 'human' : undefined
  if (!role) return undefined
  const lines = [`${task.amount}, ${statuses[task.status] ?? 'with a status that this page does not know'}. You are the task’s ${role}.`]
  const isUnderReview = underReview.includes(task.status)
  if (isUnderReview) lines.push(await waits(look, market, id, task, role))
  const actions = []
  for (const exit of exits) {
    if (!exit.in.includes(task.status) || !exit.effects[role]) continue
    const bytes = data(exit.call, number(id))
    const trial = exit.workHash ? bytes + pad('0x1') : bytes
    if (await opens(ask, wallet, market.escrow, trial)) {
      const needs = exit.workHash ? 'Hash of the work (0x and 64 hexadecimal digits)' : undefined
      actions.push({ name: exit.name, needs, does: effectOn(task, exit.effects[role]), to: market.escrow, seen, data: bytes })
    }
  }
  return { title: `Task ${id}`, lines, actions, underReview: isUnderReview ? id : undefined }
}

/** Describes the exits that will open later. */
async function waits(look, market, id, task, role) {
  const [disputedBy] = await look(1, market.escrow, 'disputedBy(uint256)', number(id))
  const [due] = await look(1, market.escrow, 'due(uint256)', number(id))
  const soon = task.isApproved || asNumber(disputedBy) === byAgent
  const settles = `From ${when(soon ? asNumber(due) : task.lastActivity + windows.settleDelay)}, anyone can settle the task, which pays the human.`
  const alone = role === 'human' ? ` From ${when(task.lastActivity + windows.emergencyDelay)}, you can collect the payment yourself.` : ''
  return settles + alone + (task.isApproved ? '' : ` Validators can reject the work until ${when(asNumber(due))}.`)
}

async function stakeItem(ask, market, wallet, id) {
  const seen = []
  const stake = await noting(ask, seen)(6, market.staking, 'getStake(uint256)', number(id))
  const own = stake[0] === pad(wallet)
  if (asNumber(stake[5]) !== 1) return undefined // not locked, or released with its task
  const call = own ? 'withdrawStake(uint256)' : 'rejectApplication(uint256)'
  const action = { to: market.staking, seen, data: data(call, number(id)) }
  if (!(await opens(ask, wallet, action.to, action.data))) return undefined
  const locked = amount(tokens(stake[3]), market.symbol)
  return {
    title: `Application ${id}, for task ${BigInt(`0x${stake[2]}`)}`,
    lines: [`${own ? 'Your' : 'Its'} stake of ${locked} is locked. The application’s expiry time is ${when(asNumber(stake[4]))}.`],
    actions: [
      own
        ? { ...action, name: 'Withdraw your stake', does: `The application ends, and you get ${locked} back.` }
        : { ...action, name: 'Reject', does: `The application ends, and its stake of ${locked} goes to the treasury.` },
    ],
  }
}
