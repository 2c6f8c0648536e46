import type { ComponentProps } from 'react'

/** A link that leaves the page: a new tab that learns nothing of where it came from. */
export function ExternalLink({ className = 'link', children, ...rest }: ComponentProps<'a'> & { href: string }) {
  return (
    <a {...rest} className={className} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
