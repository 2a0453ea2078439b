import { messages } from '@/messages/landing'
import { AgentLinks } from '@/ui/agent-links'

/** The links for agents. */
export function ForAgents() {
  return (
    <section aria-labelledby="for-agents" className="mx-auto max-w-6xl px-4 sm:px-6">
      <div className="rounded-3xl border border-line bg-sunken p-6 sm:p-10">
        <h2 id="for-agents" className="text-2xl font-semibold">
          {messages.agents.title}
        </h2>
        <p className="mt-2 max-w-2xl text-ink-soft">{messages.agents.text}</p>
        <AgentLinks
          className="mt-7 gap-4 sm:grid-cols-2 lg:grid-cols-4"
          linkClass="rounded-2xl border border-line bg-surface p-4 transition-colors hover:border-line-strong"
        />
      </div>
    </section>
  )
}
