import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Contracts, contractsQuery } from '@/api/contracts'
import { Loading } from '@/components/loading'
import { TokenAmount } from '@/components/token-amount'
import { duration } from '@/lib/time'
import { common } from '@/messages/common'
import { messages } from '@/messages/help'
import { Address } from '@/ui/address'
import { Page } from '@/ui/page'
import { Section } from '@/ui/section'

/** The help page. It explains the current rules, with numbers read from the contracts. */
export function HelpPage() {
  const contracts = useQuery(contractsQuery)
  return (
    <Page title={common.howItWorks} intro={messages.intro}>
      {contracts.data ? (
        <div className="grid gap-12">
          <Steps contracts={contracts.data} />
          <Money contracts={contracts.data} />
          <TimeLimits windows={contracts.data.windows} />
          <Rights contracts={contracts.data} />
          <Addresses contracts={contracts.data} />
        </div>
      ) : (
        <Loading query={contracts} items={4} className="h-40" />
      )}
    </Page>
  )
}

const headingClass = 'mb-4 text-2xl font-semibold'

function Steps({ contracts: { quorum, panelSize, windows } }: { contracts: Contracts }) {
  return (
    <Section heading={messages.steps.title} headingClass={headingClass}>
      <ol className="ml-5 grid max-w-3xl list-decimal gap-2 marker:text-ink-soft">
        {messages.steps.list(duration(windows.dispute), quorum, panelSize).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Section>
  )
}

function Money({ contracts: { feePercent, minimumEscrow, stake } }: { contracts: Contracts }) {
  const { fees } = messages
  return (
    <Rows heading={fees.title}>
      <Row term={fees.platform.term}>{fees.platform.text(feePercent)}</Row>
      <Row term={fees.minimum}>
        <TokenAmount wei={minimumEscrow} />
      </Row>
      <Row term={fees.stake.term}>
        {fees.stake.text(
          stake.basisPoints / 100,
          <TokenAmount wei={stake.minimum} />,
          <TokenAmount wei={stake.maximum} />,
        )}
      </Row>
      <Row term={fees.withdraw.term}>{fees.withdraw.text(duration(stake.lifetimeSeconds))}</Row>
      <Row term={fees.returned.term}>{fees.returned.text}</Row>
      <Row term={fees.lost.term}>{fees.lost.text}</Row>
    </Rows>
  )
}

function TimeLimits({ windows }: { windows: Contracts['windows'] }) {
  const { times } = messages
  return (
    <Rows heading={times.title}>
      <Row term={times.dispute.term}>{times.dispute.text(duration(windows.dispute))}</Row>
      <Row term={times.approval.term}>
        {times.approval.text(duration(windows.approved_settlement))}
      </Row>
      <Row term={times.agentDispute.term}>
        {times.agentDispute.text(duration(windows.disputed_settlement))}
      </Row>
      <Row term={times.otherwise.term}>
        {times.otherwise.text(
          duration(windows.emergency_release),
          duration(windows.silent_settlement),
        )}
      </Row>
    </Rows>
  )
}

function Rights({ contracts: { windows } }: { contracts: Contracts }) {
  const { rights } = messages
  const rescuePage = (
    <a href="/rescue" className="underline underline-offset-4">
      {rights.rescuePage}
    </a>
  )
  return (
    <Section heading={rights.title} headingClass={headingClass}>
      <ul className="ml-5 grid max-w-3xl list-disc gap-2 marker:text-ink-soft">
        <li>{rights.fixed}</li>
        <li>{rights.noCancel}</li>
        <li>{rights.dispute(duration(windows.dispute))}</li>
        <li>{rights.resign}</li>
        <li>{rights.emergency(duration(windows.emergency_release), rescuePage)}</li>
      </ul>
    </Section>
  )
}

function Addresses({ contracts: c }: { contracts: Contracts }) {
  const { contracts } = messages
  const addresses = [
    [contracts.escrow, c.escrowAddress],
    [contracts.stakes, c.applicationStakingAddress],
    [contracts.treasury, c.treasuryAddress],
  ] as const
  return (
    <div>
      <Rows heading={contracts.title}>
        <Row term={contracts.network}>
          {contracts.chain(<span translate="no">{c.chainId}</span>)}
        </Row>
        <Row term={<span translate="no">{`${c.token.name} (${c.token.symbol})`}</span>}>
          <Address hex={c.token.address} />
        </Row>
        {addresses.map(([term, address]) => (
          <Row key={address} term={term}>
            <Address hex={address} />
          </Row>
        ))}
      </Rows>
      <p className="mt-6 text-sm text-ink-soft">
        {contracts.places(
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
    </div>
  )
}

function Rows({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Section heading={heading} headingClass={headingClass}>
      <dl className="max-w-3xl divide-y divide-line border-y border-line">{children}</dl>
    </Section>
  )
}

function Row({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-x-8 gap-y-0.5 py-3.5 sm:grid-cols-[13rem_1fr]">
      <dt className="font-medium">{term}</dt>
      <dd className="text-ink-soft">{children}</dd>
    </div>
  )
}
