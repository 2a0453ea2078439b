import { Navigate, Outlet } from '@tanstack/react-router'
import { useSession } from '@/api/session'

/** The pages that require a session. When it ends, they redirect to the start page. */
export function SignedInOnly() {
  return useSession() === null ? <Navigate to="/" replace /> : <Outlet />
}
