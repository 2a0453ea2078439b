import { common } from '@/messages/common'
import { useTitle } from '@/ui/page'
import { ForAgents } from './for-agents'
import { Hero } from './hero'
import { OpenTasks } from './open-tasks'
import { Protection } from './protection'

/** What this is, for somebody who has never heard of it. */
export function LandingPage() {
  useTitle(common.appName)
  return (
    <>
      <Hero />
      <OpenTasks />
      <Protection />
      <ForAgents />
    </>
  )
}
