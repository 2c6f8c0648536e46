import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Host } from './Host.tsx'

createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <Host />
  </StrictMode>,
)
