/**
 * Links of wallets that were chosen since the page attached. The page's store has those from before: it folds no facts of links,
 * because no screen shows them.
 */
import type { Store } from '../../ui/store.ts'

/** Links that are remembered, as many as in the core's model. */
const remembered = 20

/** By the topic of the pairing. */
export type ChosenLinks = Readonly<Record<string, string>>

/** @returns the store to take facts with, and the links among them */
export function noteLinks(store: Store): { noting: Store; chosen(): ChosenLinks } {
  const links = new Map<string, string>()
  // The same object until a link is added, so that a reader sees at once whether there is a new one
  let chosen: ChosenLinks = {}
  const take: Store['take'] = (facts, atOnce) => {
    for (const { type, data } of facts) {
      if (type !== 'link.chosen') continue
      const { pairingTopic, link } = data as { pairingTopic: string; link: string }
      links.set(pairingTopic, link)
      const [oldest = ''] = links.keys()
      if (links.size > remembered) links.delete(oldest)
      chosen = Object.fromEntries(links)
    }
    store.take(facts, atOnce)
  }
  return { noting: { ...store, take }, chosen: () => chosen }
}
