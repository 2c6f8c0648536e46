/** Place of a sale's state directory: never in a folder that is published. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { refused, type VerbArguments } from '../../src/main/replay/verb.ts'
import type { LedgerSale } from '../../src/worker/ledger/ledgerSale.ts'
import type { PresaleIo } from './verb.ts'

/**
 * @returns the state directory that a command names or takes by default
 * @throws Fault `bad_input` when it is in the folder of the terms or of the published files
 */
export function stateDirectory(
  { values }: VerbArguments,
  { first }: LedgerSale,
  { directory = '' }: Pick<PresaleIo, 'directory'>,
): string {
  const { id } = first.terms
  const terms = (values.terms ?? []).map(path => dirname(path))
  const state = values.state?.[0] ?? join(directory, 'presale-state', id)
  for (const folder of [...terms, ...(values.out ?? [])])
    if (isInside(folder, state))
      throw refused(
        `the state directory expected a place outside of ${folder}, which is published, got ${state}: name another with --state`,
      )
  const former = join(terms[0] ?? '', `${id}.state`)
  if (values.state === undefined && existsSync(former))
    throw refused(
      `the state directory expected a place outside of ${terms[0]}, which is published, got ${former} of an earlier version: move it to ${state}`,
    )
  return state
}

function isInside(folder: string, path: string): boolean {
  const way = relative(realPath(folder), realPath(path))
  return !isAbsolute(way) && way.split(sep)[0] !== '..'
}

/** Follows links, also for a path whose last parts do not exist. */
function realPath(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    return whole === dirname(whole) ? whole : join(realPath(dirname(whole)), basename(whole))
  }
}
