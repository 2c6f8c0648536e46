/** The pages joined to this core, and the transactions that their effects name. */
import { isAwaited } from '../../events/coreFolds.ts'
import type { Failure } from '../../runtime/failure.ts'
import { type PageFailure, type Pages, pagesFor } from '../../runtime/host/pages.ts'
import type { Effect } from '../../runtime/log/record.ts'
import type { BytesStore } from '../drivers/bytes.ts'

/** @returns true when a wallet would show a person something they asked for in one page only */
function isPrompt({ type, data }: Effect): boolean {
  return type === 'wallet.connect' ? data.silent !== true : type.startsWith('wallet.sign')
}

const ends: { [why in PageFailure]: Failure } = {
  noPage: { code: 'wallet_gone', message: 'a wallet request expected a page to show it, there is none' },
  refused: { code: 'wallet_gone', message: 'the page could not take the wallet request' },
  lacking: { code: 'expired', message: 'a wallet request expected its bytes to be kept, they are gone' },
}

/** @param left hears when a page fell behind, went silent or was closed */
export function createPages({ bytes, left }: { bytes: BytesStore; left(tab: string): void }): Pages {
  async function withBytes(ref: string): Promise<{ bytes: Uint8Array } | undefined> {
    const content = await bytes.get(ref)
    return content && { bytes: content }
  }
  return pagesFor(
    {
      isAwaited,
      isPrompt,
      failed: why => ({ type: 'wallet.failed', data: { failure: { ...ends[why] } } }),
      equip: ({ data }) => (typeof data.bytesRef === 'string' ? withBytes(data.bytesRef) : undefined),
    },
    { left },
  )
}
