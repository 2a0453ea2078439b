import { useQuery } from '@tanstack/react-query'
import { type Contracts, contractsQuery } from '@/api/contracts'
import { ErrorBanner } from '@/components/error-banner'
import { duration } from '@/lib/time'
import { common } from '@/messages/common'
import { messages } from '@/messages/help'
import { Address } from '@/ui/address'
import { Amount } from '@/ui/amount'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { Row, Rows, Topic } from './topic'

/** The rules in force, in words. The numbers are the contracts' own. */
export function HelpPage() {
  const contracts = useQuery(contractsQuery)
  return (
    <Page title={common.howItWorks} intro={messages.intro}>
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
    <Topic id="steps" title={messages.steps.title}>
      <ol className="ml-5 grid max-w-3xl list-decimal gap-2 marker:text-ink-soft">
        <li>{messages.steps.post}</li>
        <li>{messages.steps.apply}</li>
        <li>{messages.steps.accept}</li>
        <li>{messages.steps.submit}</li>
        <li>{messages.steps.respond(duration(windows.dispute))}</li>
        <li>{messages.steps.review(quorum, panelSize)}</li>
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
    <Topic id="fees" title={messages.fees.title}>
      <Rows>
        <Row term={messages.fees.platform.term}>{messages.fees.platform.text(feePercent)}</Row>
        <Row term={messages.fees.minimum}>
          <Amount wei={minimumEscrow} symbol={token.symbol} />
        </Row>
        <Row term={messages.fees.stake.term}>
          {messages.fees.stake.text(
            stake.basisPoints / 100,
            <Amount wei={stake.minimum} symbol={token.symbol} />,
            <Amount wei={stake.maximum} symbol={token.symbol} />,
          )}
        </Row>
        <Row term={messages.fees.withdraw.term}>
          {messages.fees.withdraw.text(duration(stake.lifetime))}
        </Row>
        <Row term={messages.fees.returned.term}>{messages.fees.returned.text}</Row>
        <Row term={messages.fees.lost.term}>{messages.fees.lost.text}</Row>
      </Rows>
    </Topic>
  )
}

function Windows({ windows }: { windows: Contracts['windows'] }) {
  return (
    <Topic id="times" title={messages.times.title}>
      <Rows>
        <Row term={messages.times.dispute.term}>
          {messages.times.dispute.text(duration(windows.dispute))}
        </Row>
        <Row term={messages.times.approval.term}>
          {messages.times.approval.text(duration(windows.approved_settlement))}
        </Row>
        <Row term={messages.times.agentDispute.term}>
          {messages.times.agentDispute.text(duration(windows.disputed_settlement))}
        </Row>
        <Row term={messages.times.otherwise.term}>
          {messages.times.otherwise.text(
            duration(windows.emergency_release),
            duration(windows.silent_settlement),
          )}
        </Row>
      </Rows>
    </Topic>
  )
}

function Rights({ contracts: { windows } }: { contracts: Contracts }) {
  return (
    <Topic id="rights" title={messages.rights.title}>
      <ul className="ml-5 grid max-w-3xl list-disc gap-2 marker:text-ink-soft">
        <li>{messages.rights.fixed}</li>
        <li>{messages.rights.noCancel}</li>
        <li>{messages.rights.dispute(duration(windows.dispute))}</li>
        <li>{messages.rights.resign}</li>
        <li>
          {messages.rights.emergency(
            duration(windows.emergency_release),
            <a href="/rescue" className="underline underline-offset-4">
              {messages.rights.rescuePage}
            </a>,
          )}
        </li>
      </ul>
    </Topic>
  )
}

function Places({ contracts: c }: { contracts: Contracts }) {
  return (
    <Topic id="contracts" title={messages.contracts.title}>
      <Rows>
        <Row term={messages.contracts.network}>{messages.contracts.chain(c.chainId)}</Row>
        <Row term={`${c.token.name} (${c.token.symbol})`}>
          <Address hex={c.token.address} />
        </Row>
        <Row term={messages.contracts.escrow}>
          <Address hex={c.escrowAddress} />
        </Row>
        <Row term={messages.contracts.stakes}>
          <Address hex={c.applicationStakingAddress} />
        </Row>
        <Row term={messages.contracts.treasury}>
          <Address hex={c.treasuryAddress} />
        </Row>
      </Rows>
      <p className="mt-6 text-sm text-ink-soft">
        {messages.contracts.places(
          <a
            href="https://www.geonames.org"
            target="_blank"
            rel="noopener"
            className="underline underline-offset-4"
          >
            GeoNames
          </a>,
        )}
      </p>
    </Topic>
  )
}
