import type { EffectData } from '../../events/effect.ts'
import { Fault } from '../../events/failure.ts'
import { decodeTransaction } from '../chains/solana/decode.ts'
import { orderKeys } from '../chains/solana/orderKeys.ts'
import type { BytesStore } from './bytes.ts'
import { type Answer, answered, type Drive, drive, type InputOf } from './drive.ts'

/**
 * Reads anew what the part that builds orders answered. That part stands on libraries; the core judges the bytes that the
 * wallet is going to be handed, read from where they are kept, by keys that are derived here.
 */
export function readPrepared(build: Drive, bytes: BytesStore): Drive {
  return async (effect, answer) => {
    const built = async (): Promise<Answer | undefined> => {
      let said: Answer | undefined
      await build(effect, one => {
        said = one
      })
      return said
    }
    const read = async ({ order, terms }: EffectData['chain.prepareOrder']): Promise<Answer | undefined> => {
      for (let tries = 1; ; tries += 1) {
        const said = await built()
        if (said?.type !== 'chain.orderPrepared') return said
        const data = said.data as InputOf<'chain.orderPrepared'>
        const unsigned = await bytes.get(data.bytesRef)
        if (unsigned) {
          const decoded = decodeTransaction(unsigned)
          return answered({ type: 'chain.orderPrepared', data: { ...data, decoded, derived: orderKeys(order, terms) } })
        }
        // An order that has just ended forgets its bytes, and its retry has the same ones until the next blockhash
        if (tries === 2) throw new Fault('storage_down', 'the bytes of an order expected to be kept here, got none')
      }
    }
    await drive(read)(effect, answer)
  }
}
