import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { setUpClient } from '@/api/client'
import { App } from '@/app/app'
import './styles/theme.css'

setUpClient()
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
