import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { foldLink } from '../../../src/events/subjects/wallet/link.ts'
import { noteLinks } from '../../../src/main/storage/chosenLinks.ts'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import { foldBatch } from '../../../src/ui/foldBatch.ts'
import { createStore } from '../../../src/ui/store.ts'

const chosenLink = (seq: number, pairingTopic: string, link: string): FactRecord => {
  return { k: 'f', seq, n: seq, at: seq, type: 'link.chosen', v: 1, data: { pairingTopic, link } }
}
const noted = () => {
  const store = createStore({ request: task => task(), hidden: () => false }, foldBatch)
  return { store, ...noteLinks(store) }
}

describe('client storage: chosen links', () => {
  test('are those of the core’s fold, the oldest forgotten', () => {
    const { noting, chosen, store } = noted()
    const { link } = emptyCoreModel()
    const model = { link }
    for (let seq = 1; seq <= 25; seq++) {
      const fact = chosenLink(seq, `p${seq % 23}`, `wallet${seq}://`)
      noting.take([fact])
      foldLink(model, fact as never)
    }
    expect(chosen()).toEqual(model.link.chosen)
    expect(store.folded()).toBe(25)
  })

  test('are noted while the store still queues their facts', () => {
    const store = createStore({ request: () => undefined, hidden: () => false }, foldBatch)
    const { noting, chosen } = noteLinks(store)
    noting.take([chosenLink(1, 'p1', 'torch://')])
    expect(store.folded()).toBe(0)
    expect(chosen()).toEqual({ p1: 'torch://' })
  })
})
