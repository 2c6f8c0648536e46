/**
 * Asks the verify service, in a hidden frame of this page, to witness where a message comes from. Only for hosts that set its
 * address, as their policy has to allow the frame. It comes in a file of its own.
 */
import type { PageAnswer, PageEffect } from '../../events/wire.ts'

type Asking = Extract<PageEffect, { type: 'attest.get' }>
type Page = Pick<Window, 'addEventListener' | 'removeEventListener' | 'document' | 'location'>

/** How long the frame stays, ms. The core waits for less; what comes after that goes out with the message if it has to go again. */
const patienceMs = 6000
const longest = 8192

/** @returns the service's JWT, or none when it does not come in time; never fails */
export async function attest(page: Page, { data }: Asking): Promise<PageAnswer> {
  const { url = '', messageRef } = data
  const jwt = await asked(page, url).catch(() => '')
  return { type: 'attest.got', messageRef, jwt }
}

async function asked(page: Page, url: string): Promise<string> {
  const { document } = page
  const address = new URL(url)
  address.searchParams.set('origin', page.location.origin)
  return new Promise(resolve => {
    const frame = document.createElement('iframe')
    const end = (jwt: string) => {
      clearTimeout(timer)
      page.removeEventListener('message', hear)
      frame.remove()
      resolve(jwt)
    }
    const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== frame.contentWindow || origin !== address.origin) return
      const jwt = jwtIn(data)
      if (jwt !== undefined) end(jwt)
    }
    const timer = setTimeout(() => end(''), patienceMs)
    page.addEventListener('message', hear)
    frame.onerror = () => end('')
    frame.hidden = true
    // It may say its word as the origin it has, and nothing else
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    // This page tells nobody where a visitor comes from; here its origin is what is to be witnessed
    frame.referrerPolicy = 'origin'
    frame.src = address.href
    document.body.append(frame)
  })
}

/** @returns undefined when it is no word of the service's; nothing when the service witnesses nothing */
function jwtIn(data: unknown): string | undefined {
  try {
    const said: unknown = typeof data === 'string' ? JSON.parse(data) : data
    if (typeof said !== 'object' || said === null || !('type' in said) || said.type !== 'verify_attestation')
      return undefined
    const jwt = 'attestation' in said ? said.attestation : undefined
    return typeof jwt === 'string' && jwt.length <= longest ? jwt : ''
  } catch {
    return undefined
  }
}
