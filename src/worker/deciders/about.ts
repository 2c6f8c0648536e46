/**
 * References in an effect's `about` that identify a person. Their kind marks them, so that scratch memory can be redacted; any
 * other `about` is an id that the core made.
 */
import { idIn, referenceText } from '../../events/values/reference.ts'

/** Kinds whose ids are personal. */
export const personalAbout = ['account', 'search', 'certified', 'topic'] as const

export function accountAbout(account: string): string {
  return referenceText({ kind: 'account', id: account })
}

/** @returns the account that an effect is about */
export function accountIn(about: string): string {
  return idIn('account', about) ?? about
}

/** @param certified whether only wallets that carry the badge are searched */
export function searchAbout(search: string, certified = false): string {
  return referenceText({ kind: certified ? 'certified' : 'search', id: search })
}
