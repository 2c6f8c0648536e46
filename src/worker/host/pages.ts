/** The pages joined to this core, and the transactions that their effects name. */
import { isAwaited } from '../../events/coreFolds.ts'
import { type Pages, pagesFor } from '../../runtime/host/pages.ts'
import type { Effect } from '../../runtime/log/record.ts'
import { promptEnd } from '../core/promptEnds.ts'
import type { BytesStore } from '../drivers/bytes.ts'

/** @returns true when a wallet would show a person something they asked for in one page only */
function isPrompt({ type, data }: Effect): boolean {
  return type === 'wallet.connect' ? data.silent !== true : type.startsWith('wallet.sign')
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
      failed: promptEnd,
      equip: ({ data }) => (typeof data.bytesRef === 'string' ? withBytes(data.bytesRef) : undefined),
    },
    { left },
  )
}
