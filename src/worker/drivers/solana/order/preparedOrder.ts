import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { decodeTransaction } from '../../../chains/solana/decode.ts'
import { orderKeys, sendKeys } from '../../../chains/solana/orderKeys.ts'
import type { BytesStore } from '../../bytes.ts'
import { drive } from '../../drive.ts'
import type { Answer, Drive } from '../../../../runtime/host/driver.ts'

/**
 * Reads the built order independently. The builder depends on libraries; the core judges the bytes as stored, which the wallet
 * will get, with keys derived here.
 */
export function readPrepared(build: Drive, bytes: BytesStore): Drive {
  return reading(build, bytes, ({ order, terms }: EffectData['chain.prepareOrder']) => ({
    derived: orderKeys(order, terms),
  }))
}

/** The same of a transfer. */
export function readPreparedSend(build: Drive, bytes: BytesStore): Drive {
  return reading(build, bytes, ({ send }: EffectData['chain.prepareSend']) => sendKeys(send))
}

function reading<Ask>(build: Drive, bytes: BytesStore, keysOf: (ask: Ask) => Record<string, unknown>): Drive {
  return async (effect, answer) => {
    let built: Answer | undefined
    await build(effect, one => {
      built = one
    })
    const read = async (ask: Ask): Promise<Answer | undefined> => {
      if (built?.type !== 'chain.orderPrepared' && built?.type !== 'chain.sendPrepared') return built
      const unsigned = await bytes.get(String(built.data.bytesRef))
      if (!unsigned) throw new Fault('storage_down', 'the bytes of an order expected to be kept here, got none')
      return { ...built, data: { ...built.data, decoded: decodeTransaction(unsigned), ...keysOf(ask) } }
    }
    await drive(read)(effect, answer)
  }
}
