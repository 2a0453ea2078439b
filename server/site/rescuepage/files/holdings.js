// In seconds, as the contracts have them.
const settleDelay = 37 * 86400
const emergencyDelay = 30 * 86400
const statuses = ['', 'open', 'in progress', 'delivered', 'disputed', 'paid', 'refunded', 'cancelled']
const delivered = [3, 4]
const byAgent = 1

// Each exit: whose it is, in which statuses the task must be, what it does. Whether it is open
// now, the contract itself says: the call is tried before it is offered.
const exits = [
  { call: 'cancelTask(uint256)', role: 'agent', in: [1, 2], name: 'Cancel', does: (t) => `The task ends: ${t.amount} come back to you. An accepted human’s stake is returned; other applicants can withdraw theirs.` },
  { call: 'cancelTask(uint256)', role: 'human', in: [2], name: 'Give the task up', does: (t) => `The task ends: ${t.amount} go back to the agent, and your stake of ${t.stake} comes back to you.` },
  { call: 'submitTask(uint256,bytes32)', role: 'human', in: [2], name: 'Deliver', needs: 'Hash of the work (0x and 64 digits)', does: (t) => `The hash of your work is on the chain, and time runs: if the agent does nothing and the validators do not decide, anyone can pay you 37 days from now. If the validators reject the work, you are not paid and lose your stake of ${t.stake}.` },
  { call: 'agentApproveTask(uint256)', role: 'agent', in: delivered, name: 'Approve', does: (t) => `The human is paid ${t.payout}: by the validators, or 72 hours from now by anyone. It cannot be taken back.` },
  { call: 'disputeTask(uint256)', role: 'both', in: [3], name: 'Dispute', does: (t) => `The validators decide. If they reject the work, ${t.amount} go back to the agent and the human’s stake of ${t.stake} is lost. If they do not decide, anyone can pay the human: after the agent’s dispute in 5 days, after the human’s in 37.` },
  { call: 'settle(uint256)', role: 'both', in: delivered, name: 'Settle', does: (t) => `The time for a decision is over: the human is paid ${t.payout}, and gets the stake of ${t.stake} back. The fee is ${t.fee}.` },
  { call: 'emergencyRelease(uint256)', role: 'human', in: delivered, name: 'Release in an emergency', does: (t) => `Nothing has happened for 30 days: you are paid ${t.payout}, and get your stake of ${t.stake} back. The fee is ${t.fee}.` },
]

/** What the wallet has in the contracts, the newest first. */
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
    title: 'A payment that did not get through',
    lines: [`${waiting} wait for you in the contract ${to}.`],
    actions: [{ name: 'Fetch it', does: `${waiting} are sent to your wallet.`, to, seen, data: data('withdrawCredit(address)', wallet) }],
  }
}

/** A task as the contracts have it now, with its amounts as people read them. */
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
  const lines = [`${task.amount}, ${statuses[task.status] ?? 'in a state that this page does not know'}. You are its ${role}.`]
  const isDelivered = delivered.includes(task.status)
  if (isDelivered) lines.push(await waits(look, market, id, task, role))
  const actions = []
  for (const exit of exits) {
    if (!exit.in.includes(task.status) || (exit.role !== role && exit.role !== 'both')) continue
    const bytes = data(exit.call, number(id))
    const trial = exit.needs ? bytes + pad('0x1') : bytes
    if (await opens(ask, wallet, market.escrow, trial)) {
      actions.push({ ...exit, does: exit.does(task), to: market.escrow, seen, data: bytes })
    }
  }
  return { title: `Task ${id}`, lines, actions, delivered: isDelivered ? id : undefined }
}

/** When time alone opens a way. */
async function waits(look, market, id, task, role) {
  const [disputedBy] = await look(1, market.escrow, 'disputedBy(uint256)', number(id))
  const [due] = await look(1, market.escrow, 'due(uint256)', number(id))
  const soon = task.isApproved || asNumber(disputedBy) === byAgent
  const settles = `Anyone can settle it from ${when(soon ? asNumber(due) : task.lastActivity + settleDelay)}.`
  const alone = role === 'human' ? ` You can release it alone from ${when(task.lastActivity + emergencyDelay)}.` : ''
  return settles + alone + (task.isApproved ? '' : ' Until then validators can reject the work.')
}

async function stakeItem(ask, market, wallet, id) {
  const seen = []
  const stake = await noting(ask, seen)(6, market.staking, 'getStake(uint256)', number(id))
  const own = stake[0] === pad(wallet)
  if (asNumber(stake[5]) !== 1) return undefined // it is not locked, or goes with its task
  const call = own ? 'withdrawStake(uint256)' : 'rejectApplication(uint256)'
  const action = { to: market.staking, seen, data: data(call, number(id)) }
  if (!(await opens(ask, wallet, action.to, action.data))) return undefined
  const locked = amount(tokens(stake[3]), market.symbol)
  return {
    title: `Application ${id}, for task ${BigInt(`0x${stake[2]}`)}`,
    lines: [`${own ? 'Your' : 'Its'} stake of ${locked} is locked until ${when(asNumber(stake[4]))} or the application’s end.`],
    actions: [
      own
        ? { ...action, name: 'Take the stake back', does: `The application ends: ${locked} come back to you.` }
        : { ...action, name: 'Reject', does: `The application ends: its stake of ${locked} goes to the treasury.` },
    ],
  }
}
