import type { ComponentProps } from 'react'

/**
 * A link to another site: a new tab without opener or referrer. Renders plain text for any scheme but http(s): a recording may
 * hold anything.
 */
export function ExternalLink({ className = 'link', children, ...rest }: ComponentProps<'a'> & { href: string }) {
  if (!/^https?:\/\//i.test(rest.href)) return <span className={className}>{children}</span>
  return (
    <a {...rest} className={className} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
