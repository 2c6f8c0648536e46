import type { SendOrder } from '../../../events/subjects/order/order.ts'
import { shortAddress } from '../../../events/values/solana/shortAddress.ts'
import type { Sendable } from './sendable.ts'
import { useSendables } from './useSendables.ts'

/** @returns the token of a transfer, with its name where the account still holds some */
export function useSentToken({ asset, send }: SendOrder): Sendable {
  const { all } = useSendables(asset)
  const symbol = shortAddress(asset)
  return all.find(one => one.asset === asset) ?? { asset, symbol, name: symbol, decimals: send.decimals }
}
