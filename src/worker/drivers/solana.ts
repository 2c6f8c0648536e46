import type { EffectData } from '../../events/effect.ts'
import type { BytesStore } from './bytes.ts'
import { type Drive, drive } from './drive.ts'
import type { Http } from './http.ts'
import { createRpc } from './rpc.ts'
import { createOrdersDriver } from './solanaOrders.ts'
import { type Build, createPrepareDriver } from './solanaPrepare.ts'
import { createPurchasesDriver } from './solanaPurchases.ts'
import { createSaleDriver } from './solanaSale.ts'
import { createTermsDriver } from './solanaTerms.ts'

/** Where the chain is reached. `rpcUrl2` is asked when `rpcUrl` fails and serves the same chain. */
export type SolanaPorts = {
  rpcUrl: string
  rpcUrl2?: string
  /** absolute; `checkpoint.json` stands next to it */
  termsUrl: string
  http: Http
  bytes: BytesStore
  now(): number
  /** loads the builder of transactions; default: its own chunk */
  loadBuild?: () => Promise<Build>
}

/** @returns drivers of every `chain.*` effect and of `bytes.forget`, by the effect's type */
export function createSolanaDriver(ports: SolanaPorts): { [type: string]: Drive } {
  const { rpcUrl, rpcUrl2, termsUrl, http, bytes, loadBuild } = ports
  const rpc = createRpc({ url: rpcUrl, ...(rpcUrl2 === undefined ? {} : { url2: rpcUrl2 }), http })
  return {
    ...createSaleDriver({ rpc }),
    ...createTermsDriver({ termsUrl, http, rpc }),
    ...createPrepareDriver({ rpc, bytes, ...(loadBuild ? { loadBuild } : {}) }),
    ...createOrdersDriver({ rpc, bytes }),
    ...createPurchasesDriver({ rpc }),
    'bytes.forget': drive<EffectData['bytes.forget']>(async ({ refs }) => {
      await bytes.forget(refs)
      return undefined
    }),
  }
}
