import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChainSnapshot } from './chain.ts'
import type { Published } from './presale/operator.ts'

/** Persisted state. */
export type Kept = {
  format: 'local-solana/1'
  seed: string
  baseUnix: number
  termsHash: string
  chain: ChainSnapshot
  published: Published
}

/**
 * Reads the stored state of a folder.
 *
 * @returns undefined when there is none
 * @throws Error with the remedy when the file cannot be read or belongs to another seed
 */
export function readKept(stateDir: string, seed: string): Kept | undefined {
  const file = join(stateDir, 'chain.json')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`the kept chain ${file} cannot be read: start with --fresh to begin a new one`, { cause: error })
  }
  const kept = parsed(text)
  const whole =
    kept?.format === 'local-solana/1' &&
    [kept.chain?.blocks?.[0], kept.chain?.ledger, kept.chain?.accounts].every(Boolean)
  if (!kept || !whole) throw new Error(`the kept chain ${file} is damaged: start with --fresh to begin a new one`)
  if (kept.seed !== seed)
    throw new Error(
      `the kept chain ${file} has seed ${kept.seed}, asked for ${seed}: start with --fresh to begin a new one`,
    )
  return kept
}

/** Writes the state so that a crash leaves either the old file or the new one. */
export function writeKept(stateDir: string, kept: Kept): void {
  mkdirSync(stateDir, { recursive: true })
  const file = join(stateDir, 'chain.json')
  writeFileSync(`${file}.new`, JSON.stringify(kept))
  renameSync(`${file}.new`, file)
}

function parsed(text: string): Kept | undefined {
  try {
    return JSON.parse(text) as Kept
  } catch {
    return undefined
  }
}
