import { toFailure } from '../../../../runtime/failure.ts'
import { contradicts } from '../../../rpc/contradicts.ts'
import type { Rpc } from '../rpc.ts'

/**
 * Reads. A contradiction counts once it was read again, at every endpoint that answers: one node's fault stops no sale.
 *
 * @param read from a node; `other` is one endpoint alone
 * @throws Fault the contradiction; another failure where no endpoint repeats it
 */
export async function uncontradicted<T>(rpc: Rpc, read: (other?: Rpc) => Promise<T>): Promise<T> {
  const isOne = (cause: unknown) => contradicts(toFailure(cause))
  try {
    return await read()
  } catch (cause) {
    if (!isOne(cause)) throw cause
  }
  let told: unknown
  for (const endpoint of await rpc.endpoints()) {
    try {
      return await read({ ...rpc, ...endpoint })
    } catch (cause) {
      if (!isOne(told)) told = cause
    }
  }
  throw told
}
