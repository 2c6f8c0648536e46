/** What was deleted a short while ago: its ids mean nothing any more, and whoever uses one is told why. No facts of its own. */
import { type Memory, remember, remembers } from '../values/memory.ts'

export type DeletedKind = 'session' | 'pairing' | 'proposal' | 'request'
export type DeletedView = Memory

/** So many deleted records are remembered before the older half is forgotten. */
const kept = 200

/** Remembers that a record is deleted. */
export function foldDeleted(model: { deleted: DeletedView }, kind: DeletedKind, id: string): void {
  remember(model.deleted, `${kind}:${id}`, kept)
}

export function wasDeleted(deleted: DeletedView, kind: DeletedKind, id: string): boolean {
  return remembers(deleted, `${kind}:${id}`)
}
