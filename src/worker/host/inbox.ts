import type { EffectType } from '../../events/effect.ts'
import { runtime } from '../runtime.ts'
import type { Inbox, InboxPorts } from '../../runtime/host/inbox.ts'

/** Makes the inbox of this product's core. */
export function createInbox(ports: InboxPorts<EffectType>): Inbox {
  return runtime.inbox(ports)
}
