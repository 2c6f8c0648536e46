import type { Journal } from './journal.ts'

/** The strictest durability that a log gives; one in memory has no disk to wait for, one whose disk has failed refuses. */
export function strictest({ storage }: Pick<Journal, 'storage'>): 'strict' | 'relaxed' {
  return storage === 'memory' ? 'relaxed' : 'strict'
}
