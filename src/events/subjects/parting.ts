/** Wallets that are owed the word that their session is over: a message that is still to be sealed, whoever dies meanwhile. */
import { own } from '../schema/own.ts'
import { define, id, personal, type UnionOf, v1 } from '../schema/registry.ts'

export const partingFacts = define({
  /** The wallet is to be told that there is no session any more. */
  'parting.owed': v1({ sessionTopic: personal(id) }),
  /** The message that tells it is sealed and kept, or cannot be any more. */
  'parting.settled': v1({ sessionTopic: personal(id) }),
})
export type PartingFact = UnionOf<typeof partingFacts>

/** Session topics, and since when. */
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
