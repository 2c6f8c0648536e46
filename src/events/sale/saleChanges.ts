/**
 * Conditions that are frozen once the terms are announced: all but the version, which has to grow with any change, the end, which may
 * grow, the assets' rates, and the legal documents.
 * @see reference "Presale", §5
 */
import { own } from '../../runtime/schema/own.ts'
import type { SaleView } from '../subjects/sale/sale.ts'
import type { Terms } from './terms/termsShape.ts'

/** One condition of the sale, by its path in the terms; a text is empty where the terms have no value. */
export type SaleChange = { path: string; before: string; after: string }

/** @returns the frozen conditions in which two terms differ, in the order of the first */
export function frozenChanges(before: Terms, after: Terms): SaleChange[] {
  const [known, now] = [leavesOf(before), leavesOf(after)]
  const paths = [...new Set([...known.keys(), ...now.keys()])]
  const changes = paths
    .map(path => ({ path, before: known.get(path) ?? '', after: now.get(path) ?? '' }))
    .filter(({ path, before: one, after: other }) => one !== other || path === 'version')
  return before.version === after.version && changes.length === 1 ? [] : changes.filter(change => !mayChange(change))
}

/**
 * @returns the frozen conditions in which the terms differ from the pinned ones; none while either is unknown. Of a version that is
 *   the same there is nothing to show: the notices tell that such terms do not count
 */
export function changesSincePin({ terms, pins }: Pick<SaleView, 'terms' | 'pins'>): SaleChange[] {
  const pin = terms.phase === 'read' ? own(pins, terms.terms.id) : undefined
  const changes = terms.phase !== 'read' || !pin ? [] : frozenChanges(pin.terms, terms.terms)
  return changes.filter(({ before, after }) => before !== after)
}

function mayChange({ path, before, after }: SaleChange): boolean {
  if (path === 'version' || path === 'end') return Number(after) > Number(before)
  return path.startsWith('legal.') || /^assets\.\d+\.creditsPerUnit$/.test(path)
}

function leavesOf(value: unknown, path = '', leaves = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null) return leaves.set(path, String(value ?? ''))
  for (const [key, part] of Object.entries(value)) leavesOf(part, path === '' ? key : `${path}.${key}`, leaves)
  return leaves
}
