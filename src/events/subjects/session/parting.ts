/** Session deletes that wallets are owed: each stays until its message is sealed, even if a worker dies meanwhile. */
import { own } from '../../../runtime/schema/own.ts'
import { define, id, personal, type UnionOf, v1 } from '../../../runtime/schema/registry.ts'

export const partingFacts = define({
  /** The wallet has yet to be notified that its session is over. */
  'parting.owed': v1({ sessionTopic: personal(id) }),
  /** The delete message is sealed and stored, or cannot be any more. */
  'parting.settled': v1({ sessionTopic: personal(id) }),
})
export type PartingFact = UnionOf<typeof partingFacts>

/** Session topics, and the time since when. */
export type PartingView = Record<string, number>

export function foldParting(
  { parting }: { parting: PartingView },
  { type, at, data }: PartingFact & { at: number },
): void {
  const { sessionTopic } = data
  const isOwed = own(parting, sessionTopic) !== undefined
  if (type === 'parting.owed' && !isOwed) parting[sessionTopic] = at
  if (type === 'parting.settled' && isOwed) delete parting[sessionTopic]
}
