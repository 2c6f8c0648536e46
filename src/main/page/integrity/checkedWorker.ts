/** Verifies the hashes of a worker's files before its start: browsers do not verify workers themselves. */
import { fetchChecked } from '../../../worker/drivers/parts.ts'
import { embedParts } from '../../embed/embedParts.ts'
import { publishedHashes } from './published.ts'
import { trustedScriptURL } from './trusted.ts'

const importLine = /import\s*["'`](\.\/[\w.-]+)["'`];?/g

/**
 * @param url address of the worker's entry, as the build gives it
 * @returns what `Worker` accepts
 * @throws Fault `reload_needed` when a file is unavailable, `bad_response` when its bytes differ from the published ones
 */
export async function checkedWorker(url: string): Promise<string> {
  const published = hashes()
  if (published) await checkWithImports(new URL(url, document.baseURI).href, published)
  return trustedScriptURL(url)
}

async function checkWithImports(url: string, published: ReadonlyMap<string, string>): Promise<void> {
  const text = new TextDecoder().decode(await fetchChecked(url, published.get(url)))
  // The entry of a worker of several files has nothing but imports
  if (text.replace(importLine, '').trim() !== '') return
  const imports = [...text.matchAll(importLine)].map(([, path = '']) => new URL(path, url).href)
  await Promise.all(imports.map(one => fetchChecked(one, published.get(one))))
}

/** @returns hashes by address; the embed carries its own list */
function hashes(): ReadonlyMap<string, string> | undefined {
  if (!embedParts) return publishedHashes()
  return new Map(Object.entries(embedParts).map(([name, [hash]]) => [new URL(name, import.meta.url).href, hash]))
}
