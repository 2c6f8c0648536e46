import { useSurroundings } from '../react.tsx'
import { useNotice } from '../useNotice.ts'

/** @returns a function for a press: copies the address and tells how that went */
export function useCopyAddress(account: string): () => void {
  const { copy } = useSurroundings()
  const notice = useNotice()
  return () => {
    copy(account).then(
      copied => (copied ? notice('success', 'Address copied') : notice('error', 'The address was not copied')),
      () => notice('error', 'The address was not copied'),
    )
  }
}
