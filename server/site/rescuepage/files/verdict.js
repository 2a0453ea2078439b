// The ecrecover precompile, which recovers the signer of a signature.
const recover = '0x0000000000000000000000000000000000000001'
const maxSignatures = 32
// The market's limit for the length of a signature, in hex characters.
const maxSignature = 2 + 2 * (16 << 10)

/** Reads the data that a verdict on submitted work covers, and the validators who may decide. */
async function readReview(ask, market, wallet, id) {
  const seen = []
  const look = noting(ask, seen)
  const one = async (call, ...args) => (await look(1, market.escrow, call, ...args))[0]
  const task = await readTask(look, market, id)
  if (!underReview.includes(task.status)) throw new Error(`Task ${id} has no submitted work, or has ended: there is nothing to decide.`)
  const disputedBy = asNumber(await one('disputedBy(uint256)', number(id)))
  const panel = `0x${await one('panelOf(uint256)', number(id))}`
  const isOpenAtOnce = disputedBy === byAgent || (disputedBy === 0 && task.isApproved)
  return {
    ...task,
    id,
    seen,
    panel,
    round: disputedBy === 0 ? 0 : 1,
    workHash: `0x${await one('workHash(uint256)', number(id))}`,
    opensAt: isOpenAtOnce ? task.lastActivity : task.disputeDeadline,
    closesAt: asNumber(await one('due(uint256)', number(id))),
    quorum: asNumber(await one('quorumOf(uint256)', panel)),
    isValidator: asNumber(await one('validatorIn(address,uint256)', wallet, panel)) === 1,
  }
}

/** Builds the verdict that a validator signs, valid only for this work in this escrow. */
function verdictData({ chain, escrow }, review, approved) {
  const fields = (...pairs) => pairs.map(([name, type]) => ({ name, type }))
  return {
    types: {
      EIP712Domain: fields(['name', 'string'], ['version', 'string'], ['chainId', 'uint256'], ['verifyingContract', 'address']),
      Verdict: fields(['taskId', 'uint256'], ['workHash', 'bytes32'], ['round', 'uint8'], ['approved', 'bool']),
    },
    primaryType: 'Verdict',
    domain: { name: 'TaskmarketEscrow', version: '1', chainId: Number(chain), verifyingContract: escrow },
    message: { taskId: String(review.id), workHash: review.workHash, round: String(review.round), approved },
  }
}

/** Signs a verdict and returns it with its task, decision and signer as a line of JSON. */
async function sign(context, review, approved) {
  const { provider, wallet, market } = context
  await moveWallet(provider, market.chain)
  await checkShown(context, review.seen)
  say('Sign in your wallet.')
  const typedData = JSON.stringify(verdictData(market, review, approved))
  const signature = await provider.request({ method: 'eth_signTypedData_v4', params: [wallet, typedData] })
  return JSON.stringify({ escrow_task_id: String(review.id), approved, validator: wallet, signature })
}

/** Parses signatures in the formats of this page, the command line and the server. */
function signaturesIn(text) {
  const found = []
  const take = (part) => {
    if (typeof part === 'string') found.push({ signature: part.trim() })
    else if (Array.isArray(part)) part.forEach(take)
    else if (Array.isArray(part?.verdicts)) part.verdicts.forEach(take)
    else found.push({ ...part, validator: part?.validator ?? part?.validator_wallet_address })
  }
  const parsed = (json, otherwise) => {
    try {
      return JSON.parse(json)
    } catch {
      return otherwise
    }
  }
  take(parsed(text) ?? text.split('\n').filter((line) => line.trim()).map((line) => parsed(line, line)))
  return found
}

/** Returns the signatures for a decision, one per validator, sorted by address. */
async function gathered({ ask, market }, review, approved, text) {
  const bySigner = new Map()
  const digest = words(await view(ask, market.escrow, data('verdictDigest(uint256,bool)', number(review.id), approved ? '0x1' : '0x0')), 1)[0]
  const given = signaturesIn(text).filter((each) => each.approved === undefined || each.approved === approved)
  if (given.length > 4 * maxSignatures) throw new Error(`Too many signatures: ${given.length}. The limit is ${4 * maxSignatures}.`)
  for (const { signature, validator } of given) {
    const [signer, bytes] = await signerOf(ask, digest, signature, validator)
    const [counts] = words(await view(ask, market.escrow, data('validatorIn(address,uint256)', signer, review.panel)), 1)
    if (asNumber(counts) !== 1) throw new Error(`The signature by ${signer} is not valid for task ${review.id}: the signer is not one of its validators, or signed something else.`)
    bySigner.set(signer, bytes)
  }
  const missing = review.quorum - bySigner.size
  if (missing > 0) throw new Error(`${missing} more ${missing === 1 ? 'signature is' : 'signatures are'} needed: ${review.quorum} validators must agree.`)
  return [...bySigner.keys()].sort().map((signer) => bySigner.get(signer))
}

/** Returns the signer and the encoded signature. For a contract wallet `named` is required. */
async function signerOf(ask, digest, signature, named) {
  const isSignature = typeof signature === 'string' && signature.length <= maxSignature && /^0x([0-9a-fA-F]{2}){65,}$/.test(signature)
  if (!isSignature) throw new Error(`Not a valid signature: ${short(JSON.stringify(signature)).slice(0, 40)}`)
  const hex = signature.slice(2).toLowerCase()
  const signer = isAddress(named) ? named.toLowerCase() : undefined
  if (hex.length === 130) {
    const v = Number.parseInt(hex.slice(128), 16)
    const raised = hex.slice(0, 128) + (v < 27 ? v + 27 : v).toString(16).padStart(2, '0')
    const answer = await view(ask, recover, `0x${digest}${pad(raised.slice(128))}${raised.slice(0, 128)}`)
    const key = answer === '0x' ? undefined : asAddress(words(answer, 1)[0])
    if (key && (!signer || key === signer)) return [key, raised]
  }
  if (!signer) throw new Error('A contract wallet’s signature needs the wallet’s address: paste {"validator": "0x…", "signature": "0x…"}.')
  return [signer, signer.slice(2) + hex]
}

/** Encodes a call with an id and a list of bytes. */
function packed(call, id, list) {
  const word = (n) => pad(number(n))
  let heads = ''
  let tails = ''
  for (const hex of list) {
    heads += word(32 * list.length + tails.length / 2)
    tails += word(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')
  }
  return selectors[call] + word(id) + word(64) + word(list.length) + heads + tails
}

/** Returns the possible decisions. After the agent's approval, validators cannot reject the work. */
function decisionsOn(review) {
  const approval = {
    approved: true,
    name: 'Pay the human',
    signs: 'Sign to approve',
    call: 'approveSubmission(uint256,bytes[])',
    does: `The human is paid ${review.payout} and gets the stake of ${review.stake} back. The fee is ${review.fee}.`,
  }
  const rejection = {
    approved: false,
    name: 'Refund the agent',
    signs: 'Sign to reject',
    call: 'rejectSubmission(uint256,bytes[])',
    does: `The agent gets ${review.amount} back; the human’s stake of ${review.stake} goes to the treasury.`,
  }
  return review.isApproved ? [approval] : [approval, rejection]
}
