import type { CoreModel } from '../../../events/app.ts'
import type { EffectType } from '../../../events/effect.ts'
import type { Effect } from '../../../runtime/log/record.ts'
import { own } from '../../../runtime/schema/own.ts'
import { messagePurposeIn } from '../../../events/values/reference.ts'
import { safeToRetry } from '../../walletconnect/session/safeToRetry.ts'

/** They destroy what this log no longer needs, or ask again for what can be asked again. */
const harmless: ReadonlySet<string> = new Set<EffectType>([
  'relay.acknowledge',
  'relay.fetch',
  'vault.forget',
  'bytes.forget',
  'auth.askContract',
])

/**
 * Whether an effect that waits for the disk may move money. A new effect counts as such until it is named here.
 *
 * @param model after the step that orders the effect
 */
export function movesMoney({ outbox, request }: CoreModel, { type, data }: Effect): boolean {
  if (type !== 'relay.publish' && type !== 'link.send') return !harmless.has(type)
  const purpose = messagePurposeIn(own(outbox, String(data.callId))?.purpose)
  const asked = purpose?.kind === 'request' ? own(request, purpose.id) : undefined
  return asked !== undefined && !safeToRetry.has(asked.method)
}
