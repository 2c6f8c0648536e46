/** Compares two models branch by branch, for the marks of the tree. */
import { isCompound } from '../../runtime/json/isRecord.ts'

type Mark = 'same' | 'changed' | 'added' | 'removed'

/** One line of the tree. `inside` counts the members of an object or list; absent for a plain value. */
export type Branch = { path: string; name: string; mark: Mark; before: unknown; after: unknown; inside?: number }

/** @returns the members of both values in the order of the later one, removed ones last */
export function branchesOf(path: string, before: unknown, after: unknown): Branch[] {
  const was = members(before)
  const is = members(after)
  const names = [...Object.keys(is), ...Object.keys(was).filter(name => !Object.hasOwn(is, name))]
  return names.map(name => {
    const [had, has] = [Object.hasOwn(was, name), Object.hasOwn(is, name)]
    const mark: Mark = !had ? 'added' : !has ? 'removed' : same(was[name], is[name]) ? 'same' : 'changed'
    const value = has ? is[name] : was[name]
    const branch: Branch = { path: `${path}/${name}`, name, mark, before: was[name], after: is[name] }
    if (isCompound(value)) branch.inside = Object.keys(value).length
    return branch
  })
}

/** @returns how many plain values were added, removed or changed */
export function countChanges(before: unknown, after: unknown): number {
  if (!isCompound(before) || !isCompound(after)) return same(before, after) ? 0 : 1
  return branchesOf('', before, after).reduce(
    (sum, { mark, before, after }) =>
      mark === 'same' ? sum : mark === 'changed' ? sum + countChanges(before, after) : sum + 1,
    0,
  )
}

/** @returns a value in short: text in quotes, `{…}` and `[…]` for non-empty objects and lists */
export function shortValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (isCompound(value)) return Object.keys(value).length === 0 ? '{}' : '{…}'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isCompound(a) || !isCompound(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every(name => Object.hasOwn(b, name) && same(a[name], b[name]))
}

function members(value: unknown): Record<string, unknown> {
  return isCompound(value) ? value : {}
}
