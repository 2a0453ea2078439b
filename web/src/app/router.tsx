import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { sessionQuery } from '@/api/session'
import { readActivityParams } from '@/lib/activity-params'
import { readBoardParams } from '@/lib/board-params'
import { readWorkParams } from '@/lib/work-params'
import { ErrorPage } from './error-page'
import { Layout } from './layout'
import { NotFoundPage } from './not-found-page'

interface Context {
  queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({
  component: Layout,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

const landing = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('@/features/landing/landing-page'), 'LandingPage'),
})

const tasks = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  validateSearch: readBoardParams,
  component: lazyRouteComponent(() => import('@/features/tasks/tasks-page'), 'TasksPage'),
})

const task = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$taskId',
  component: lazyRouteComponent(() => import('@/features/task/task-page'), 'TaskPage'),
})

const apply = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$taskId/apply',
  component: lazyRouteComponent(() => import('@/features/task/apply-page'), 'ApplyPage'),
})

const help = createRoute({
  getParentRoute: () => root,
  path: '/help',
  component: lazyRouteComponent(() => import('@/features/help/help-page'), 'HelpPage'),
})

// What only somebody who is signed in has. Others are sent to the start.
const own = createRoute({
  getParentRoute: () => root,
  id: 'own',
  beforeLoad: async ({ context }) => {
    if (!(await context.queries.ensureQueryData(sessionQuery))) throw redirect({ to: '/' })
  },
})

const welcome = createRoute({
  getParentRoute: () => own,
  path: '/welcome',
  component: lazyRouteComponent(() => import('@/features/account/welcome-page'), 'WelcomePage'),
})

const profile = createRoute({
  getParentRoute: () => own,
  path: '/profile',
  component: lazyRouteComponent(() => import('@/features/account/profile-page'), 'ProfilePage'),
})

const work = createRoute({
  getParentRoute: () => own,
  path: '/work',
  validateSearch: readWorkParams,
  component: lazyRouteComponent(() => import('@/features/work/work-page'), 'WorkPage'),
})

const earnings = createRoute({
  getParentRoute: () => own,
  path: '/earnings',
  component: lazyRouteComponent(() => import('@/features/earnings/earnings-page'), 'EarningsPage'),
})

const submit = createRoute({
  getParentRoute: () => own,
  path: '/tasks/$taskId/submit',
  component: lazyRouteComponent(() => import('@/features/submit/submit-page'), 'SubmitPage'),
})

const activity = createRoute({
  getParentRoute: () => own,
  path: '/activity',
  validateSearch: readActivityParams,
  component: lazyRouteComponent(() => import('@/features/activity/activity-page'), 'ActivityPage'),
})

const messagesPage = lazyRouteComponent(
  () => import('@/features/messages/messages-page'),
  'MessagesPage',
)

const messages = createRoute({
  getParentRoute: () => own,
  path: '/messages',
  component: messagesPage,
})

const conversation = createRoute({
  getParentRoute: () => own,
  path: '/messages/$conversationId',
  component: messagesPage,
})

const firstMessage = createRoute({
  getParentRoute: () => own,
  path: '/messages/to/$username',
  component: messagesPage,
})

const talking = [activity, messages, conversation, firstMessage]

const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$username',
  component: lazyRouteComponent(() => import('@/features/people/person-page'), 'AgentPage'),
})

const human = createRoute({
  getParentRoute: () => root,
  path: '/humans/$username',
  component: lazyRouteComponent(() => import('@/features/people/person-page'), 'HumanPage'),
})

const tree = root.addChildren([
  landing,
  tasks,
  task,
  apply,
  help,
  agent,
  human,
  own.addChildren([welcome, profile, work, earnings, submit, ...talking]),
])

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ErrorPage,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
