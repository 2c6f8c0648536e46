/**
 * What an effect is about, when that identifies a person: a kind before it says so, so that scratch memory can be redacted.
 * Everything else an effect is about is an id of the core's own, with or without a kind before it.
 */
import { idIn, referenceText } from '../../events/values/reference.ts'

/** Kinds that something personal stands behind. */
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

export function topicAbout(topic: string): string {
  return referenceText({ kind: 'topic', id: topic })
}
