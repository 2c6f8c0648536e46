/**
 * Files of this build that come later. Each one is compared with the hash that the build wrote down before it runs, and so is all
 * that it imports at once. The build turns every `import()` of such a file into a call of what {@link serveParts} puts in place.
 */
import { Fault, toFailure } from '../../events/failure.ts'
import { own } from '../../events/schema/own.ts'
import { later } from './later.ts'

/** Name of a file, its hash, and names of the files that it imports at once. */
export type Listed = Readonly<Record<string, readonly [hash: string, ...imports: string[]]>>

/** Where the build finds the function that brings a part. */
const place = Symbol.for('mai.part')

/**
 * Fetches a file and compares it with its hash.
 *
 * @param hash as in an `integrity` attribute, by SHA-256
 * @returns the file's bytes
 * @throws Fault `unreachable` without an answer, `reload_needed` when it is gone, `bad_response` when its bytes are others
 */
export async function fetchChecked(url: string, hash: string | undefined): Promise<Uint8Array> {
  const name = new URL(url).pathname.replace(/^.*\//, '')
  // The cache may be spoilt; the server's present answer takes its place there
  for (const cache of ['default', 'reload'] as const) {
    const answer = await fetch(url, { cache }).catch(() => undefined)
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
 * Puts the function in place that brings parts.
 *
 * @param list brings what the build wrote down
 * @param base address of a file in the folder of the parts
 */
export function serveParts(list: () => Promise<Listed>, base: string): void {
  const checks = new Map<string, Promise<unknown>>()

  /** One file once; after a failure the next call tries again. */
  function check(name: string, hash: string | undefined): Promise<unknown> {
    // A fault of a part is no word of a node or a wallet
    const check = checks.get(name) ?? fetchChecked(new URL(name, base).href, hash).catch(needReload)
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

function needReload(cause: unknown): never {
  throw new Fault('reload_needed', toFailure(cause).message)
}

/** @param named name and hash of the file that holds the list, as the build writes it: with a space between */
export function listBeside(named: string, base: string): () => Promise<Listed> {
  const [name = '', hash] = named.split(' ')
  const list = later('the list of parts', async () => {
    const text = new TextDecoder().decode(await fetchChecked(new URL(name, base).href, hash).catch(needReload))
    return JSON.parse(text) as Listed
  })
  // The first part is asked for soon
  void list.get().catch(() => undefined)
  return list.get
}

/** @returns the file and all that it imports at once, however far that goes */
function closure(name: string, listed: Listed): string[] {
  const seen = new Set([name])
  for (const one of seen) {
    const [, ...imports] = own(listed, one) ?? []
    for (const next of imports) seen.add(next)
  }
  return [...seen]
}
