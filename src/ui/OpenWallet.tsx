import { useEffect, useState } from 'react'
import { useSurroundings, type WalletLink } from './react.tsx'
import { useTexts } from './texts/language.tsx'
import { relayArea } from './texts/relay/en.ts'

/**
 * The wallet in which a request waits, as a link to press; null while this page knows none. Browsers let a press of a link open a
 * window where they block a script's.
 */
export function OpenWallet({ requestId }: { requestId: string }) {
  const { walletLink, walletOpened } = useSurroundings()
  const { openWallet } = useTexts(relayArea)
  const [link, setLink] = useState<WalletLink>()
  useEffect(() => {
    let current = true
    walletLink(requestId).then(
      found => current && setLink(found),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [walletLink, requestId])
  return (
    link && (
      <a
        className="button is-primary is-wide"
        href={link.url}
        target={link.target}
        rel="noopener noreferrer"
        data-testid="open-wallet"
        onClick={() => walletOpened(requestId)}
      >
        {openWallet}
      </a>
    )
  )
}
