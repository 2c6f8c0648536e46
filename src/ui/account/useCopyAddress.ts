import { useSurroundings } from '../react.tsx'
import { accountArea } from '../texts/account/en.ts'
import { useTexts } from '../texts/language.tsx'
import { useNotice } from '../notices/useNotice.ts'

/** @returns a function for a press: copies the address and tells how that went */
export function useCopyAddress(account: string): () => void {
  const { copy } = useSurroundings()
  const notice = useNotice()
  const t = useTexts(accountArea)
  return () => {
    copy(account).then(
      copied => (copied ? notice('success', t.addressCopied) : notice('error', t.addressNotCopied)),
      () => notice('error', t.addressNotCopied),
    )
  }
}
