import type { ComponentProps } from 'react'

/**
 * A link that leaves the page: a new tab that learns nothing of where it came from. An address that is not of the web is
 * no link: a recording may hold anything.
 */
export function ExternalLink({ className = 'link', children, ...rest }: ComponentProps<'a'> & { href: string }) {
  if (!/^https?:\/\//i.test(rest.href)) return <span className={className}>{children}</span>
  return (
    <a {...rest} className={className} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
