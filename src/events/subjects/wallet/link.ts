/** Wallets' own links: a link that opened a wallet on this device opens it again for each request. */
import { own } from '../../../runtime/schema/own.ts'
import type { LinkFact } from './linkFacts.ts'
import type { LinkView } from './linkState.ts'

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
