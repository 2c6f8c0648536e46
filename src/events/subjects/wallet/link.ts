/** Wallets' own links: a link that opened a wallet on this device opens it again for each request. */
import { own } from '../../../runtime/schema/own.ts'
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

/**
 * `chosen` by the code's topic; `apps` are universal links of wallets that accepted messages by them; `last` is the outcome of
 * the latest request, for the page to offer the link in words.
 */
export type LinkView = {
  chosen: Record<string, string>
  apps: string[]
  last: { requestId: string; skipped?: (typeof skippedFor)[number] } | null
}

const chosenKept = 20
const appsKept = 50

export function foldLink({ link: view }: { link: LinkView }, { type, data }: LinkFact): void {
  if (type === 'link.chosen') {
    if (own(view.chosen, data.pairingTopic) === data.link) return
    const [oldest = ''] = Object.keys(view.chosen)
    if (Object.keys(view.chosen).length >= chosenKept) delete view.chosen[oldest]
    view.chosen[data.pairingTopic] = data.link
  } else if (type === 'link.appLearned') {
    if (!view.apps.includes(data.universal)) view.apps = [...view.apps, data.universal].slice(-appsKept)
  } else if (type === 'link.opened' || type === 'link.skipped') {
    const skipped = type === 'link.skipped' ? data.why : undefined
    if (view.last?.requestId === data.requestId && view.last.skipped === skipped) return
    view.last = { requestId: data.requestId, ...(skipped && { skipped }) }
  }
}
