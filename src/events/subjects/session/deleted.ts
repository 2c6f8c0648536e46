/** Ids deleted a short while ago: a caller that uses one gets the reason. This subject has no facts of its own. */
import { own } from '../../../runtime/schema/own.ts'
import { type Memory, remember, remembers } from '../../values/memory.ts'
import { type DeletedKind, referenceText } from '../../values/reference.ts'
import { forgoOwed, type MailView } from './mail.ts'
import type { PairingView } from './pairing.ts'
import type { RequestView } from './request.ts'
import type { SessionView } from './session.ts'

export type DeletedView = Memory

/** The part of the model that is read and written here. */
type Deleting = {
  session: SessionView
  pairing: PairingView
  request: RequestView
  mail: MailView
  deleted: DeletedView
}

/** Number of deleted records that are remembered; then the older half is forgotten. */
const kept = 200

/**
 * Remembers the records that a fact deletes, and drops the answers still owed on their topics. Runs before the fact's own fold,
 * which removes the records.
 */
export function noteDeleted(model: Deleting, { type, data }: { type: string; data: unknown }): void {
  switch (type) {
    case 'session.deleted': {
      const { sessionTopic = '' } = data as Named
      if (own(model.session, sessionTopic)) note(model, 'session', sessionTopic)
      forgoOwed(model.mail, sessionTopic)
      return
    }
    case 'pairing.settled':
    case 'pairing.expired': {
      const { pairingTopic = '' } = data as Named
      const pairing = own(model.pairing.open, pairingTopic)
      if (!pairing) return
      note(model, 'pairing', pairingTopic)
      note(model, 'proposal', pairing.proposalId)
      forgoOwed(model.mail, pairingTopic)
      return
    }
    case 'request.answered':
    case 'request.failed': {
      const { requestId = '' } = data as Named
      const request = own(model.request, requestId)
      if (request && request.phase !== 'ended') note(model, 'request', requestId)
    }
  }
}

type Named = Record<string, string>

function note(model: Pick<Deleting, 'deleted'>, kind: DeletedKind, id: string): void {
  remember(model.deleted, referenceText({ kind, id }), kept)
}

export function wasDeleted(deleted: DeletedView, kind: DeletedKind, id: string): boolean {
  return remembers(deleted, referenceText({ kind, id }))
}
