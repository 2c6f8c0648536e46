/** Facts of wallets' own links. */
import { choice, define, id, openField, personal, text, type UnionOf, v1 } from '../../../runtime/schema/registry.ts'

/**
 * Why a wallet was not opened: the page had no focus, there was no press, the link opens no wallet, or it was opened before.
 */
export const skippedFor = ['noFocus', 'noPress', 'refused', 'again'] as const

export const linkFacts = define({
  /** The person opened a wallet with this code by the wallet's link. */
  'link.chosen': v1({ pairingTopic: personal(id), link: personal(text) }),
  /** A wallet with this universal link accepted a message by it. */
  'link.appLearned': v1({ universal: personal(text) }),
  /** An incoming link holds no message for this page. */
  'link.refused': v1({ message: openField(text) }),
  /** The wallet was opened for a request. */
  'link.opened': v1({ requestId: openField(id) }),
  'link.skipped': v1({ requestId: openField(id), why: openField(choice(skippedFor)) }),
})
export type LinkFact = UnionOf<typeof linkFacts>
