import { Navigate, Outlet } from '@tanstack/react-router'
import { useSession } from '@/api/session'

/** The pages of whoever is signed in. When the session ends they lead to the start. */
export function SignedInOnly() {
  return useSession() === null ? <Navigate to="/" replace /> : <Outlet />
}
