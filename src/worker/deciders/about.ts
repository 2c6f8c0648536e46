/**
 * What an effect was about, when that identifies a person: a word before it says so, so that scratch memory can be redacted.
 * Everything else an effect is about is an id of the core's own, with or without a word before it.
 */

/** Words that something personal stands behind. */
export const personalAbout = ['account', 'search', 'certified', 'topic'] as const

export function accountAbout(account: string): string {
  return `account:${account}`
}

/** @param certified whether only wallets that carry the badge are searched */
export function searchAbout(search: string, certified = false): string {
  return `${certified ? 'certified' : 'search'}:${search}`
}

export function topicAbout(topic: string): string {
  return `topic:${topic}`
}

/** @returns what stands behind the word */
export function restOf(about: string): string {
  return about.slice(about.indexOf(':') + 1)
}
