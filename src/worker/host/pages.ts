/** The pages joined to this core, and the transactions that their effects name. */
import { isAwaited } from '../../events/coreFolds.ts'
import { Fault, type Failure } from '../../runtime/failure.ts'
import { type PageRules, type Pages, pagesFor } from '../../runtime/host/pages.ts'
import type { Effect } from '../../runtime/log/record.ts'
import type { BytesStore } from '../drivers/bytes.ts'

/** @returns true when a wallet would show a person something they asked for in one page only */
function isPrompt({ type, data }: Effect): boolean {
  return type === 'wallet.connect' ? data.silent !== true : type.startsWith('wallet.sign')
}

const ends: { [why in 'noPage' | 'refused']: Failure } = {
  noPage: { code: 'wallet_gone', message: 'a wallet request expected a page to show it, there is none' },
  refused: { code: 'wallet_gone', message: 'the page could not take the wallet request' },
}

const failed: PageRules['failed'] = why => {
  const { code, message } = why instanceof Fault ? why : ends[why]
  return { type: 'wallet.failed', data: { failure: { code, message } } }
}

/** @param left hears when a page fell behind, went silent or was closed */
export function createPages({ bytes, left }: { bytes: BytesStore; left(tab: string): void }): Pages {
  async function withBytes(ref: string): Promise<{ bytes: Uint8Array }> {
    const content = await bytes.get(ref)
    if (!content) throw new Fault('expired', 'a wallet request expected its bytes to be kept, they are gone')
    return { bytes: content }
  }
  const equip = ({ data }: Effect) => (typeof data.bytesRef === 'string' ? withBytes(data.bytesRef) : undefined)
  return pagesFor({ isAwaited, isPrompt, failed, equip }, { left })
}
