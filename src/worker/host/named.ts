/** Keys and bytes that the model names. A start deletes all others: a kill may fall between a commit and its clearing up. */
import type { CoreModel } from '../../events/app.ts'
import { isAuthAsked } from '../../events/subjects/wallet/auth.ts'
import { builtOf, isDead, isPaid, signedRefOf } from '../../events/subjects/order/order.ts'
import type { BytesStore } from '../drivers/bytes.ts'
import { type KeyStore, sweepKeys } from '../drivers/walletconnect/keys.ts'

/** @returns whether the model names a topic, so that the client for its messages will be needed */
export function namesTopics(model: CoreModel): boolean {
  return namedKeys(model).topics.size > 0
}

/** Deletes keys and bytes that the model does not name. Those that stay when it fails do no harm until the next start. */
export async function sweepUnnamed(
  model: CoreModel,
  { keys, bytes }: { keys: KeyStore; bytes: BytesStore },
): Promise<void> {
  await sweepKeys(keys, namedKeys(model)).catch(() => undefined)
  await sweepBytes(bytes, namedBytes(model)).catch(() => undefined)
}

/** @returns the topics whose keys the model names, and the refs of its sealed messages */
function namedKeys(model: CoreModel): { topics: Set<string>; refs: Set<string> } {
  const outgoing = Object.values(model.outbox)
  const { session, parting } = model
  const topics = new Set([...Object.keys({ ...session, ...parting }), ...outgoing.map(message => message.topic)])
  for (const pairing of Object.values(model.pairing.open)) {
    topics.add(pairing.pairingTopic)
    if (pairing.phase === 'answered') topics.add(pairing.sessionTopic)
  }
  for (const { sent } of Object.values(model.auth).filter(isAuthAsked)) {
    topics.add(sent.pairingTopic)
    topics.add(sent.responseTopic)
  }
  return { topics, refs: new Set(outgoing.map(message => message.messageRef)) }
}

/** @returns the refs of the long answers that the model names, and of the transactions of orders that have not ended */
export function namedBytes(model: CoreModel): Set<string> {
  const refs = new Set<string>()
  const note = (ref: string | undefined) => void (ref !== undefined && refs.add(ref))
  for (const order of Object.values(model.order)) {
    if (isDead(order) || isPaid(order)) continue
    note(builtOf(order)?.bytesRef)
    note(signedRefOf(order))
  }
  for (const request of Object.values(model.request)) {
    if (request.phase !== 'ended') continue
    const { end, late } = request
    note(end.how === 'answered' ? end.resultRef : undefined)
    note(late?.resultRef)
  }
  return refs
}

/** Deletes all bytes but the named ones. */
export async function sweepBytes(bytes: BytesStore, named: ReadonlySet<string>): Promise<void> {
  const orphans = (await bytes.refs()).filter(ref => !named.has(ref))
  if (orphans.length > 0) await bytes.forget(orphans)
}
