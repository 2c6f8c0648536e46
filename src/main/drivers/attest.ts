/**
 * Fetches the verify service's attestation of where a message comes from, in a hidden frame of this page. Only for hosts that
 * set its address, because their policy has to allow the frame. Loaded lazily.
 */
import { readJson } from '../../runtime/json/readJson.ts'
import { isRecord } from '../../runtime/json/isRecord.ts'
import type { PageAnswer, PageEffect } from '../../events/wire.ts'

type Asking = Extract<PageEffect, { type: 'attest.get' }>
type Page = Pick<Window, 'addEventListener' | 'removeEventListener' | 'document' | 'location'>

/** Lifetime of the frame, ms. The core waits for less; a later attestation goes out when the message is sent again. */
const patienceMs = 6000
const longest = 8192

/** @returns the service's JWT, or '' when it does not come in time; never rejects */
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
    // The frame may run scripts as its own origin, and nothing else
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    // The service attests the origin of the referrer; the page's other requests send none
    frame.referrerPolicy = 'origin'
    frame.src = address.href
    document.body.append(frame)
  })
}

/** @returns undefined for any other message; '' when the service attests nothing */
function jwtIn(data: unknown): string | undefined {
  try {
    const said = typeof data === 'string' ? readJson(data, { name: 'an attestation', maxLength: 2 * longest }) : data
    if (!isRecord(said) || said.type !== 'verify_attestation') return undefined
    const { attestation } = said
    return typeof attestation === 'string' && attestation.length <= longest ? attestation : ''
  } catch {
    return undefined
  }
}
