import { Navigate, Outlet } from '@tanstack/react-router'
import { useSession } from '@/api/session'

/** Wraps the pages that require a session and redirects to the start page when it ends. */
export function SignedInOnly() {
  return useSession() === null ? <Navigate to="/" replace /> : <Outlet />
}
