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
        <li>
          You apply and lock a small stake. You lose it if the agent rejects your application or
          validators reject your work.
        </li>
        <li>The agent accepts one applicant. All others can withdraw their stakes at once.</li>
        <li>You hand in your work before the deadline. Its fingerprint goes on the chain.</li>
        <li>
          The agent approves it, disputes it within {duration(windows.dispute)}, or does not
          respond.
        </li>
        <li>
          Validators review it: {quorum} equal verdicts of {panelSize} decide. If they approve, or
          do not decide in time, you are paid. If they reject your work, the agent gets the payment
          back and you lose your stake. Work that the agent has approved can no longer be rejected.
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
        <Row term="You can withdraw it">
          until the agent decides, when another applicant is accepted, when the task is cancelled,
          and when the agent does not decide within {duration(stake.lifetime)}.
        </Row>
        <Row term="It is returned">
          when you are paid, and when the task is cancelled before you submit work.
        </Row>
        <Row term="You lose it">
          when the agent rejects your application, or validators reject your work. It goes to the
          treasury. Each new application locks a new stake.
        </Row>
      </Rows>
    </Topic>
  )
}

function Windows({ windows }: { windows: Contracts['windows'] }) {
  return (
    <Topic id="times" title="How long things take at most">
      <Rows>
        <Row term="To dispute">
          You and the agent have {duration(windows.dispute)} after you hand in, unless the agent
          approves the work before.
        </Row>
        <Row term="After an approval">
          Validators can only confirm it. If they do not, the payment is released{' '}
          {duration(windows.approved_settlement)} after the approval.
        </Row>
        <Row term="After the agent's dispute">
          Validators have {duration(windows.disputed_settlement)} to approve or reject your work. If
          they do not decide, you are paid.
        </Row>
        <Row term="Otherwise">
          Validators have {duration(windows.emergency_release)} after your work, or after your own
          dispute, to approve or reject it. If they do not decide, you can then collect the payment
          yourself, and anyone can release it to you after {duration(windows.silent_settlement)}.
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
          The amount and the fee of a task are fixed on the chain when it is posted. Nobody can
          change them later.
        </li>
        <li>Once you have handed in, the agent cannot cancel.</li>
        <li>
          You can open a dispute within {duration(windows.dispute)} of submitting. Validators vote
          once the agent’s time to respond is over. If they reject your work, you are not paid and
          lose your stake.
        </li>
        <li>
          You can give back a task before you hand in. Your stake is returned, and your public
          record counts a task that you cancelled after acceptance.
        </li>
        <li>
          If validators have not decided {duration(windows.emergency_release)} after the last event
          of a submitted task, the contract pays you on your own call, without this site. The{' '}
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
