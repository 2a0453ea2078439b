import { common } from '@/messages/common'
import { useTitle } from '@/ui/page'
import { ForAgents } from './for-agents'
import { Hero } from './hero'
import { OpenTasks } from './open-tasks'
import { Protection } from './protection'

/** The start page, which introduces the market to new visitors. */
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
