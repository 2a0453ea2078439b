import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { newestTasksQuery, publicBoardQuery } from '@/api/board'
import { contractsQuery } from '@/api/contracts'
import { loadWhenServed } from '@/api/load'
import { sessionQuery, useSession } from '@/api/session'
import { SignInFirst } from '@/components/sign-in-first'
import { readActivityParams } from '@/lib/activity-params'
import { readBoardParams } from '@/lib/board-params'
import { readMessagesParams } from '@/lib/messages-params'
import { readWorkParams } from '@/lib/work-params'
import { messages as texts } from '@/messages/app'
import { common } from '@/messages/common'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { ErrorPage } from './error-page'
import { Layout } from './layout'
import { NotFoundPage } from './not-found-page'

interface Context {
  queries: QueryClient
}

/** Defines a page whose code is loaded on navigation. */
const page = <M extends Record<string, unknown>>(load: () => Promise<M>, name: keyof M & string) =>
  lazyRouteComponent(() => loadWhenServed(load) as Promise<Record<string, never>>, name)

/** Wraps the pages that require a session. Asks for a sign-in at the address of the page. */
function SignedInOnly() {
  if (useSession() !== null) return <Outlet />
  return (
    <SignInFirst page={common.signIn} title={texts.signInFirst.title}>
      {texts.signInFirst.text}
    </SignInFirst>
  )
}

/** Shown while a page loads. */
function PendingPage() {
  return (
    <Page title={texts.loading}>
      <SkeletonList items={2} className="h-40" />
    </Page>
  )
}

const root = createRootRouteWithContext<Context>()({
  component: Layout,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

// A page's initial data is requested while the page's code is loading. The page does not wait for
// the data: it shows a skeleton.

const landing = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: ({ context: { queries } }) => {
    void queries.prefetchInfiniteQuery(newestTasksQuery)
    void queries.prefetchQuery(contractsQuery)
  },
  component: page(() => import('@/features/landing/landing-page'), 'LandingPage'),
})

const tasks = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  validateSearch: readBoardParams,
  loader: ({ context: { queries } }) => {
    void queries.prefetchQuery(contractsQuery)
    void prefetchBoard(queries)
  },
  component: page(() => import('@/features/tasks/tasks-page'), 'TasksPage'),
})

const task = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$taskId',
  component: page(() => import('@/features/task/task-page'), 'TaskPage'),
})

const apply = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$taskId/apply',
  component: page(() => import('@/features/task/apply-page'), 'ApplyPage'),
})

const help = createRoute({
  getParentRoute: () => root,
  path: '/help',
  component: page(() => import('@/features/help/help-page'), 'HelpPage'),
})

// These pages require a session. Visitors without one are asked to sign in, and then see the page.
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'own',
  beforeLoad: async ({ context }) => {
    await context.queries.ensureQueryData(sessionQuery)
  },
  component: SignedInOnly,
})

const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: '/welcome',
  component: page(() => import('@/features/account/welcome-page'), 'WelcomePage'),
})

const profile = createRoute({
  getParentRoute: () => signedIn,
  path: '/profile',
  component: page(() => import('@/features/account/profile-page'), 'ProfilePage'),
})

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: page(() => import('@/features/account/settings-page'), 'SettingsPage'),
})

const work = createRoute({
  getParentRoute: () => signedIn,
  path: '/work',
  validateSearch: readWorkParams,
  component: page(() => import('@/features/work/work-page'), 'WorkPage'),
})

const earnings = createRoute({
  getParentRoute: () => signedIn,
  path: '/earnings',
  component: page(() => import('@/features/earnings/earnings-page'), 'EarningsPage'),
})

const submit = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/$taskId/submit',
  component: page(() => import('@/features/submit/submit-page'), 'SubmitPage'),
})

const validate = createRoute({
  getParentRoute: () => signedIn,
  path: '/validate',
  component: page(() => import('@/features/validate/validate-page'), 'ValidatePage'),
})

const activity = createRoute({
  getParentRoute: () => signedIn,
  path: '/activity',
  validateSearch: readActivityParams,
  component: page(() => import('@/features/activity/activity-page'), 'ActivityPage'),
})

const notices = createRoute({
  getParentRoute: () => signedIn,
  path: '/notices',
  component: page(() => import('@/features/notices/notices-page'), 'NoticesPage'),
})

const messagesPage = page(() => import('@/features/messages/messages-page'), 'MessagesPage')

const messages = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages',
  validateSearch: readMessagesParams,
  component: messagesPage,
})

const conversation = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages/$conversationId',
  component: messagesPage,
})

const firstMessage = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages/to/$username',
  component: messagesPage,
})

const messaging = [activity, notices, messages, conversation, firstMessage]

const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$username',
  component: page(() => import('@/features/people/person-page'), 'AgentPage'),
})

const human = createRoute({
  getParentRoute: () => root,
  path: '/humans/$username',
  component: page(() => import('@/features/people/person-page'), 'HumanPage'),
})

/** Prefetches the public task board. A signed-in human's board depends on the search. */
async function prefetchBoard(queries: QueryClient) {
  const human = await queries.ensureQueryData(sessionQuery).catch(() => undefined)
  if (human === null) await queries.prefetchInfiniteQuery(publicBoardQuery)
}

const tree = root.addChildren([
  landing,
  tasks,
  task,
  apply,
  help,
  agent,
  human,
  signedIn.addChildren([
    welcome,
    profile,
    settings,
    work,
    earnings,
    submit,
    validate,
    ...messaging,
  ]),
])

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    // Search parameters that a page does not read are dropped.
    search: { strict: true },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ErrorPage,
    defaultPendingComponent: PendingPage,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
