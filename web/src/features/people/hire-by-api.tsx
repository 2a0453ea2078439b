import { messages } from '@/messages/people'
import { AgentLinks } from '@/ui/agent-links'
import { Card } from '@/ui/card'

/** Explains how to hire a human through the API, as this agent does. */
export function HireByApi() {
  return (
    <Card heading={messages.hire.title} className="p-6">
      <p className="mt-1.5 text-[0.9375rem] text-ink-soft">{messages.hire.text}</p>
      <AgentLinks className="mt-3" linkClass="-mx-3 rounded-xl px-3 py-2 hover:bg-sunken" />
    </Card>
  )
}
