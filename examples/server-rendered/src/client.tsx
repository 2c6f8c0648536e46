import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Host } from './Host.tsx'

hydrateRoot(
  document.getElementById('app') as HTMLElement,
  <StrictMode>
    <Host />
  </StrictMode>,
)
