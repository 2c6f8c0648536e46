import { runInNewContext } from 'node:vm'

/**
 * Opens an attestation page as a browser's frame would: checks that it allows the parent page, and runs its script.
 *
 * @param url the page's address without the origin
 * @param origin of the parent page
 * @returns the first attestation it posts to the parent, empty for none
 */
export async function attestationIn(url: string, origin: string): Promise<string> {
  const address = new URL(url)
  address.searchParams.set('origin', origin)
  const response = await fetch(address).catch(() => undefined)
  if (!response?.ok) return ''
  const mayFrame = response.headers.get('content-security-policy') === `frame-ancestors ${origin}`
  const script = /<script>(.*)<\/script>/s.exec(await response.text())?.[1]
  if (!mayFrame || script === undefined) return ''
  const heard: string[] = []
  runInNewContext(script, { top: { postMessage: (text: string) => void heard.push(text) } })
  for (const text of heard) {
    const jwt = attestationOf(text)
    if (jwt !== undefined) return jwt
  }
  return ''
}

function attestationOf(text: string): string | undefined {
  try {
    const said = JSON.parse(text) as { type?: unknown; attestation?: unknown } | null
    return said?.type === 'verify_attestation' && typeof said.attestation === 'string' ? said.attestation : undefined
  } catch {
    return undefined
  }
}
