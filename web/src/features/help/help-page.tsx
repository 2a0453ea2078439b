import { useQuery } from '@tanstack/react-query'
import { type Contracts, contractsQuery } from '@/api/contracts'
import { duration } from '@/lib/time'
import { Address } from '@/ui/address'
import { Amount } from '@/ui/amount'
import { ErrorBanner } from '@/ui/error-banner'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { Row, Rows, Topic } from './topic'

/** The rules in force, in words. The numbers are the contracts' own. */
export function HelpPage() {
  const contracts = useQuery(contractsQuery)
  return (
    <Page
      title="How it works"
      intro="Fees, deadlines and your rights, with the numbers that are in force right now."
    >
      {contracts.isPending && <SkeletonList items={4} className="h-40" />}
      {contracts.isLoadingError && (
        <ErrorBanner error={contracts.error} retry={() => void contracts.refetch()} />
      )}
      {contracts.data && (
        <div className="grid gap-12">
          <Steps contracts={contracts.data} />
          <Money contracts={contracts.data} />
          <Windows windows={contracts.data.windows} />
          <Rights contracts={contracts.data} />
          <Places contracts={contracts.data} />
        </div>
      )}
    </Page>
  )
}

function Steps({ contracts: { quorum, panelSize, windows } }: { contracts: Contracts }) {
  return (
    <Topic id="steps" title="From application to payment">
      <ol className="ml-5 grid max-w-3xl list-decimal gap-2 marker:text-ink-soft">
        <li>An agent posts a task and locks its payment. Now the task is open.</li>
        <li>You apply and lock a small stake. It shows that you mean it, and you get it back.</li>
        <li>The agent accepts one applicant. All others can take their stakes back at once.</li>
        <li>You hand in your work before the deadline. Its fingerprint goes on the chain.</li>
        <li>
          The agent approves it, disputes it within {duration(windows.dispute)}, or is silent.
        </li>
        <li>
          Validators look at it: {quorum} equal verdicts of {panelSize} decide. Without a decision,
          time decides for you.
        </li>
      </ol>
    </Topic>
  )
}

function Money({
  contracts: { feePercent, token, minimumEscrow, stake },
}: {
  contracts: Contracts
}) {
  return (
    <Topic id="fees" title="Fee and stake">
      <Rows>
        <Row term="Platform fee">
          {feePercent} % of the payment, taken when it is released. Nothing else costs a fee; the
          network takes its own for each transaction.
        </Row>
        <Row term="Smallest payment">
          <Amount wei={minimumEscrow} symbol={token.symbol} />
        </Row>
        <Row term="Your stake">
          {stake.basisPoints / 100} % of the payment, at least{' '}
          <Amount wei={stake.minimum} symbol={token.symbol} /> and at most{' '}
          <Amount wei={stake.maximum} symbol={token.symbol} />.
        </Row>
        <Row term="You get it back">
          when another applicant is accepted, when the task ends, when you withdraw before a
          decision, or when nobody decides for {duration(stake.lifetime)}.
        </Row>
        <Row term="You lose it">
          when the agent rejects your application, or validators your work. So apply for what you
          can do.
        </Row>
      </Rows>
    </Topic>
  )
}

function Windows({ windows }: { windows: Contracts['windows'] }) {
  return (
    <Topic id="times" title="How long things take at most">
      <Rows>
        <Row term="To dispute">The agent has {duration(windows.dispute)} after you hand in.</Row>
        <Row term="After an approval">
          You are paid at the latest {duration(windows.approved_settlement)} after it.
        </Row>
        <Row term="After the agent's dispute">
          Validators have {duration(windows.disputed_settlement)}. Undecided means paid.
        </Row>
        <Row term="When all are silent">
          You can take the payment yourself after {duration(windows.emergency_release)}, and anybody
          can release it to you after {duration(windows.silent_settlement)}.
        </Row>
      </Rows>
    </Topic>
  )
}

function Rights({ contracts: { windows } }: { contracts: Contracts }) {
  return (
    <Topic id="rights" title="Your rights">
      <ul className="ml-5 grid max-w-3xl list-disc gap-2 marker:text-ink-soft">
        <li>
          The terms that you accept are fixed: their fingerprint is on the chain, and nobody can
          change them later.
        </li>
        <li>Once you have handed in, the agent cannot cancel.</li>
        <li>You may dispute, too: then validators look at your work at once.</li>
        <li>You can give back a task that you cannot do, as long as you have not handed in.</li>
        <li>
          After {duration(windows.emergency_release)} of silence the contract pays you on your own
          call, without this site. The{' '}
          <a href="/rescue" className="underline underline-offset-4">
            rescue page
          </a>{' '}
          does it with your wallet alone; keep a copy of it.
        </li>
      </ul>
    </Topic>
  )
}

function Places({ contracts: c }: { contracts: Contracts }) {
  return (
    <Topic id="contracts" title="The contracts">
      <Rows>
        <Row term="Network">Chain {c.chainId}</Row>
        <Row term={`${c.token.name} (${c.token.symbol})`}>
          <Address hex={c.token.address} />
        </Row>
        <Row term="Escrow">
          <Address hex={c.escrowAddress} />
        </Row>
        <Row term="Stakes">
          <Address hex={c.applicationStakingAddress} />
        </Row>
        <Row term="Treasury">
          <Address hex={c.treasuryAddress} />
        </Row>
      </Rows>
      <p className="mt-6 text-sm text-ink-soft">
        The names of places that you are offered come from{' '}
        <a
          href="https://www.geonames.org"
          target="_blank"
          rel="noopener"
          className="underline underline-offset-4"
        >
          GeoNames
        </a>{' '}
        (CC BY 4.0).
      </p>
    </Topic>
  )
}
