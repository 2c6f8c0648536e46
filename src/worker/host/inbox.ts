import type { EffectType } from '../../events/effect.ts'
import { codec } from '../../events/log/codec.ts'
import { quarantine } from '../core/quarantine.ts'
import { type Inbox, inboxFor, type InboxPorts } from './inboxFor.ts'

/** Makes the inbox of this product's core. */
export function createInbox(ports: InboxPorts<EffectType>): Inbox {
  return inboxFor({ codec, quarantine }, ports)
}
