/** A sale's files as a command names them: its terms and its allowlist. */
import { readFileSync } from 'node:fs'
import { Fault } from '../../src/runtime/failure.ts'
import { readTerms } from '../../src/events/sale/terms/terms.ts'
import { whyUnread } from '../../src/main/replay/files.ts'
import { refused, type VerbArguments } from '../../src/main/replay/verb.ts'
import { ledgerSaleOf, type LedgerSale, type TermsVersion } from '../../src/worker/ledger/ledgerSale.ts'
import { termsFileName } from '../../src/worker/ledger/termsFileName.ts'
import { readAllowlist } from '../../src/worker/services/allowlist.ts'
import { hashText } from '../../src/worker/services/notices.ts'
import { type Node, openNode } from './node.ts'
import type { PresaleIo } from './verb.ts'

/** @throws Fault `bad_input` naming the file that cannot be read */
export function textOf(path: string): string {
  return bytesOf(path).toString('utf8')
}

/** @throws Fault `bad_input` naming the file that cannot be read */
export function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw refused(`cannot read ${path}: ${whyUnread(cause)}`)
  }
}

/** The file that a version was read from. */
const givenIn = new WeakMap<TermsVersion, string>()

/**
 * @returns every version that `--terms` names
 * @throws Fault naming the file, and the rule it breaks
 */
export function termsIn({ values }: VerbArguments): TermsVersion[] {
  const paths = values.terms ?? []
  if (paths.length === 0) throw refused('expected --terms FILE with the published terms, got none')
  return paths.map(path => {
    const text = textOf(path)
    try {
      const { terms, canonical } = readTerms(text)
      const version = { terms, hash: hashText(canonical) }
      givenIn.set(version, path)
      return version
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      const rule = cause.facts?.rule ?? 'TERMS_INVALID'
      throw new Fault('terms_invalid', `${path}: ${cause.message} (${rule})`, cause.facts)
    }
  })
}

/** @throws Fault when a file cannot be read, version 1 is missing, or the allowlist is not the one that the terms name by its hash */
export function saleIn(asked: VerbArguments): LedgerSale {
  const versions = termsIn(asked)
  const numbers = versions.map(({ terms }) => terms.version)
  if (!numbers.includes(1))
    throw refused(
      `--terms expected every version from 1 on, got ${numbers.join(', ')} alone: give the earlier ones, too, each with its own --terms. Copies, ${termsFileName('…')}, stand beside the published terms`,
    )
  const [path] = asked.values.allowlist ?? []
  if (path === undefined) {
    if (versions.some(({ terms }) => terms.access.mode === 'allowlist'))
      throw refused('the terms have an allowlist: expected --allowlist FILE with it, got none')
    return ledgerSaleOf(versions)
  }
  const text = textOf(path)
  const expected = versions[0]?.terms.access.sha256
  if (expected !== undefined && hashText(text) !== expected)
    throw new Fault(
      'terms_invalid',
      `${path}: the terms expected a list with sha256 ${expected}, got ${hashText(text)}`,
    )
  return ledgerSaleOf(versions, readAllowlist(text))
}

/** @returns a sentence about terms that are not the first announced ones, and the file to give in their place */
export function otherTermsText(announced: string, { hash }: TermsVersion): string {
  return `the sale was announced with hash ${announced}, got ${hash}: give ${termsFileName(announced)}, the copy beside the published terms, as the first --terms`
}

/**
 * Checks that every announced version of the terms is among the given ones.
 *
 * @param announced hashes, oldest first: versions count from 1
 * @param orElse a sentence for an operator who cannot have the missing ones
 * @throws Fault `terms_invalid` with facts `{ rule: 'TERMS_MISSING' }`, naming each missing version by the file of its copy, and the
 *   given files that have another text of it
 */
export function checkVersions({ versions }: LedgerSale, announced: Iterable<string>, orElse = ''): void {
  const hashes = [...new Set(announced)]
  const given = new Set(versions.map(({ hash }) => hash))
  const missing = hashes.filter(hash => !given.has(hash))
  if (missing.length === 0) return
  const changed = versions.flatMap(version => {
    const number = version.terms.version
    const hash = hashes[number - 1]
    if (hash === undefined || given.has(hash) || hashes.includes(version.hash)) return []
    return [{ hash, number, path: givenIn.get(version) ?? 'the given file' }]
  })
  const replaced = new Set(changed.map(({ hash }) => hash))
  const others = missing.filter(hash => !replaced.has(hash)).map(hash => termsFileName(hash))
  const remedies = [
    ...changed.map(
      ({ hash, number, path }) =>
        `${path} was changed since version ${number} was published: give ${termsFileName(hash)}, the announced copy beside the published terms, in its place`,
    ),
    ...(others.length > 0 ? [`add ${others.join(', ')}, copies beside the published terms`] : []),
  ]
  const numbers = versions.map(({ terms }) => terms.version).join(', ')
  throw new Fault(
    'terms_invalid',
    `expected --terms with every announced version, got ${numbers}: ${remedies.join('; ')}${orElse}`,
    { rule: 'TERMS_MISSING' },
  )
}

/** @throws Fault `bad_input` without it */
function urlIn({ values }: VerbArguments): string {
  const [url] = values.rpc ?? []
  if (url === undefined) throw refused('expected --rpc URL with the address of a Solana node, got none')
  return url
}

/** @returns the node that a command asks, and the second one, whose word has to be the same. @throws Fault `bad_input` without the first */
export function nodesIn(asked: VerbArguments, io: PresaleIo): { node: Node; second: Node | undefined } {
  const node = openNode(urlIn(asked), io)
  const [second] = asked.values.rpc2 ?? []
  return { node, second: second === undefined ? undefined : openNode(second, io, '--rpc2') }
}

/** @returns the slot that `--slot` names. @throws Fault `bad_input` when it is no number, or a checkpoint names one, too */
export function slotIn({ values }: VerbArguments): number | undefined {
  const [text] = values.slot ?? []
  if (text === undefined) return undefined
  if (!/^(0|[1-9]\d{0,14})$/.test(text)) throw refused(`--slot expected a whole number, got ${text.slice(0, 20)}`)
  if (values.checkpoint) throw refused('expected --slot or --checkpoint, got both: a checkpoint names its slot')
  return Number(text)
}
