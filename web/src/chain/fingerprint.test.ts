import { expect, test } from 'vitest'
import { type FingerprintedTask, isWhatIsShown } from './fingerprint'
import { termsHash } from './terms-hash'
import { workHash } from './work-hash'

const terms = {
  taskId: '01890a5d-ac96-774b-bcce-b302099a8057',
  agent: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  amount: 10n ** 16n,
  feeBasisPoints: 500,
  deadline: new Date('2027-01-02T03:04:05Z'),
  title: 'Photograph a shop front',
  description: 'One picture, daylight.',
}
const human = `0x${'33'.repeat(20)}`
const handedIn = { sha256: 'aa'.repeat(32), submitted: true }
const evidence = { sha256: 'bb'.repeat(32), submitted: false }

const task: FingerprintedTask = {
  id: terms.taskId,
  agentWalletAddress: terms.agent,
  humanWalletAddress: human,
  escrowAmount: terms.amount,
  feeBasisPoints: terms.feeBasisPoints,
  deadline: terms.deadline,
  title: terms.title,
  description: terms.description,
  submissionNote: 'Done.',
  proofUrl: undefined,
  workHash: workHash({
    termsHash: termsHash(terms),
    agent: terms.agent,
    human,
    note: 'Done.',
    proofUrl: '',
    files: [handedIn.sha256],
  }),
}

test('the terms hash equals the server’s', () => {
  expect(termsHash(terms)).toBe(
    '0x55b326de91cf4317561660e4be93267d6f78a00f8861b3a87450b3cd9b29992f',
  )
  expect(termsHash({ ...terms, deadline: undefined })).not.toBe(termsHash(terms))
})

test('only the displayed work matches the fingerprint', () => {
  expect(isWhatIsShown(task, [handedIn])).toBe(true)
  expect(isWhatIsShown(task, [evidence, handedIn])).toBe(true)
  expect(isWhatIsShown(task, [])).toBe(false)
  expect(isWhatIsShown(task, [handedIn, { ...evidence, submitted: true }])).toBe(false)
  const others: Partial<FingerprintedTask>[] = [
    { title: 'Photograph a shop' },
    { description: 'Two pictures.' },
    { escrowAmount: 1n },
    { deadline: undefined },
    { submissionNote: 'Done!' },
    { proofUrl: 'https://example.org' },
    { agentWalletAddress: human },
  ]
  for (const other of others) expect(isWhatIsShown({ ...task, ...other }, [handedIn])).toBe(false)
})

test('work that is not displayed is not compared', () => {
  expect(isWhatIsShown({ ...task, submissionNote: undefined }, [])).toBeUndefined()
  expect(isWhatIsShown({ ...task, workHash: undefined }, [handedIn])).toBeUndefined()
})
