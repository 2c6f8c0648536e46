/**
 * Lazily loaded files of this build. Each file and its static imports are verified against the build's hashes before they
 * run. The build replaces every `import()` of such a file by a call of the function that {@link serveParts} installs.
 */
import { Fault, toFailure } from '../../runtime/failure.ts'
import { own } from '../../runtime/schema/own.ts'
import { later } from '../../runtime/later.ts'

/** By file name: its hash, and its static imports. */
export type Listed = Readonly<Record<string, readonly [hash: string, ...imports: string[]]>>

/** Deadline of one file, ms. */
const longestMs = 120_000

/** Global symbol of the loader, known to the build. */
const place = Symbol.for('mai.part')

/**
 * Fetches a file and verifies its hash.
 *
 * @param hash as in an `integrity` attribute, SHA-256
 * @returns the file's bytes
 * @throws Fault `unreachable` without an answer, `reload_needed` when it is gone, `bad_response` when its bytes differ
 */
export async function fetchChecked(url: string, hash: string | undefined): Promise<Uint8Array> {
  const name = new URL(url).pathname.replace(/^.*\//, '')
  // The cached file may be corrupt; the second request replaces it
  for (const cache of ['default', 'reload'] as const) {
    const answer = await fetch(url, { cache, signal: AbortSignal.timeout(longestMs) }).catch(() => undefined)
    if (!answer || answer.status >= 500)
      throw new Fault('unreachable', `${name} expected an answer of the server, got none`)
    if (!answer.ok) throw new Fault('reload_needed', `a part of this page expected ${name}, it is not there`)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (hash === (await hashOf(bytes))) return bytes
  }
  throw new Fault('bad_response', `${name} expected the bytes that were published, others came`)
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256-${btoa(String.fromCharCode(...digest))}`
}

/**
 * Installs the loader.
 *
 * @param list loads the build's list of files
 * @param base URL of a file in the folder of the files
 */
export function serveParts(list: () => Promise<Listed>, base: string): void {
  const checks = new Map<string, Promise<unknown>>()

  /** Verifies each file once; a failed check is retried by the next call. */
  function check(name: string, hash: string | undefined): Promise<unknown> {
    // A missing file is not a fault of a node or a wallet
    const check = checks.get(name) ?? fetchChecked(new URL(name, base).href, hash).catch(chunkFailed(name))
    checks.set(name, check)
    check.catch(() => checks.delete(name))
    return check
  }

  const bring = async (path: string): Promise<unknown> => {
    const listed = await list()
    await Promise.all(closure(path.replace('./', ''), listed).map(name => check(name, own(listed, name)?.[0])))
    return import(/* @vite-ignore */ new URL(path, base).href)
  }
  Object.defineProperty(globalThis, place, { value: bring, configurable: true })
}

/** @returns throws a Fault `reload_needed` with the name and the words by which monitors know a missing chunk */
export function chunkFailed(name: string): (cause: unknown) => never {
  return cause => {
    const fault = new Fault('reload_needed', `Loading chunk ${name} failed: ${toFailure(cause).message}`)
    fault.name = 'ChunkLoadError'
    throw fault
  }
}

/** @param named name and hash of the list's file, separated by a space, as the build writes them */
export function listBeside(named: string, base: string): () => Promise<Listed> {
  const [name = '', hash] = named.split(' ')
  const list = later('the list of parts', async () => {
    const text = new TextDecoder().decode(await fetchChecked(new URL(name, base).href, hash).catch(chunkFailed(name)))
    return JSON.parse(text) as Listed
  })
  // Starts loading now, as the first file is needed soon
  void list.get().catch(() => undefined)
  return list.get
}

/** @returns the file and its static imports, transitively */
function closure(name: string, listed: Listed): string[] {
  const seen = new Set([name])
  for (const one of seen) {
    const [, ...imports] = own(listed, one) ?? []
    for (const next of imports) seen.add(next)
  }
  return [...seen]
}
