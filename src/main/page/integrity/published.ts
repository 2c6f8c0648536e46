/** @returns hashes of this page's files by address, as its import map has them; undefined on the development server */
export function publishedHashes(): ReadonlyMap<string, string> | undefined {
  if (!import.meta.env.PROD) return undefined
  const text = document.querySelector('script[type="importmap"]')?.textContent ?? '{}'
  const { integrity = {} } = JSON.parse(text) as { integrity?: Record<string, string> }
  return new Map(Object.entries(integrity).map(([path, hash]) => [new URL(path, document.baseURI).href, hash]))
}
