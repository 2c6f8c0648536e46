import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { Host } from './Host.tsx'

/** @returns the page's content */
export function render(): string {
  return renderToString(
    <StrictMode>
      <Host />
    </StrictMode>,
  )
}
