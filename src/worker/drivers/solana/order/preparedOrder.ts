import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { decodeTransaction } from '../../../chains/solana/decode.ts'
import { orderKeys } from '../../../chains/solana/orderKeys.ts'
import type { BytesStore } from '../../bytes.ts'
import { answered, drive, type InputOf } from '../../drive.ts'
import type { Answer, Drive } from '../../../../runtime/host/driver.ts'

/**
 * Reads the built order independently. The builder depends on libraries; the core judges the bytes as stored, which the wallet
 * will get, with keys derived here.
 */
export function readPrepared(build: Drive, bytes: BytesStore): Drive {
  return async (effect, answer) => {
    let built: Answer | undefined
    await build(effect, one => {
      built = one
    })
    const read = async ({ order, terms }: EffectData['chain.prepareOrder']): Promise<Answer | undefined> => {
      if (built?.type !== 'chain.orderPrepared') return built
      const data = built.data as InputOf<'chain.orderPrepared'>
      const unsigned = await bytes.get(data.bytesRef)
      if (!unsigned) throw new Fault('storage_down', 'the bytes of an order expected to be kept here, got none')
      const decoded = decodeTransaction(unsigned)
      return answered({ type: 'chain.orderPrepared', data: { ...data, decoded, derived: orderKeys(order, terms) } })
    }
    await drive(read)(effect, answer)
  }
}
