/**
 * Verifies a worker's file by a preload, on a page whose policy forbids fetches: a preload counts as a script.
 * Chromium and Firefox verify it; WebKit 2.50 accepts a preload of any bytes, so there the replayer's worker is not verified.
 */
import { Fault } from '../../../runtime/failure.ts'
import { publishedHashes } from './published.ts'
import { trustedScriptURL } from './trusted.ts'

/**
 * @param url address of a worker that is one file
 * @returns what `Worker` accepts
 * @throws Fault `bad_response` when the file is unavailable or its bytes differ from the published ones
 */
export async function preloadedWorker(url: string): Promise<string> {
  const hashes = publishedHashes()
  if (hashes) await preload(new URL(url, document.baseURI).href, hashes)
  return trustedScriptURL(url)
}

function preload(href: string, hashes: ReadonlyMap<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.integrity = hashes.get(href) ?? 'sha256-none'
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(
        new Fault(
          'bad_response',
          'the part that reads recordings expected its published file, it is missing or was altered',
        ),
      )
    }
    link.href = href
    document.head.append(link)
  })
}
