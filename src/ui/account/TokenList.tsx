import { useEffect, useState } from 'react'
import { Button } from '../kit/controls/Button.tsx'
import { Empty } from '../kit/feedback/Empty.tsx'
import { Note } from '../kit/feedback/Note.tsx'
import { SkeletonRow } from '../kit/feedback/SkeletonRow.tsx'
import { wallet } from '../kit/icons/icons.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { Row } from '../kit/Row.tsx'
import { useDispatch, useSurroundings } from '../react.tsx'
import { activityArea } from '../texts/activity/en.ts'
import { decimalsIn } from '../texts/amounts.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { ChainAssets, DollarFigure } from './Holdings.tsx'
import { NetworkMark } from '../kit/identity/NetworkMark.tsx'
import { useTokens } from './useAccountData.ts'

/** The tokens of the account. Where no service lists them, those that this page reads from the chain itself. */
export function TokenList({ account }: { account: string }) {
  const t = useTexts(activityArea)
  const held = useTokens()
  const decimals = decimalsIn(useLanguage())
  switch (held.phase) {
    case 'none':
      return <ChainAssets account={account} />
    case 'failed':
      return (
        <>
          <Note live="status">{t.someTokens}</Note>
          <ChainAssets account={account} />
        </>
      )
    case 'reading':
      return (
        <div aria-busy="true">
          <SkeletonRow width={96} />
          <SkeletonRow width={64} />
        </div>
      )
    case 'read':
      return held.tokens.length === 0 ? (
        <NoTokens />
      ) : (
        <ul aria-label={t.tokens} data-testid="tokens">
          {held.tokens.map(({ key, name, symbol, isNative, amount, value }) => (
            <li key={key}>
              <Row
                mark={isNative ? <NetworkMark name="Solana" /> : <TokenLogo symbol={symbol} />}
                name={name || symbol}
                sub={
                  <span className="text-figures">
                    {decimals(amount)} {symbol}
                  </span>
                }
                end={
                  value && (
                    <span className="text-figures">
                      <DollarFigure value={value} />
                    </span>
                  )
                }
              />
            </li>
          ))}
        </ul>
      )
  }
}

function NoTokens() {
  const dispatch = useDispatch()
  const t = useTexts(activityArea)
  return (
    <Empty
      icon={wallet}
      fact={t.noTokens}
      action={
        <Button
          size="small"
          onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletReceive' } } })}
        >
          {t.receiveSome}
        </Button>
      }
    >
      {t.noTokensNote}
    </Empty>
  )
}

/** A token's initial, replaced by its picture once loaded. */
function TokenLogo({ symbol }: { symbol: string }) {
  const { picture } = useSurroundings()
  const [src, setSrc] = useState<string>()
  useEffect(() => {
    let current = true
    picture('token', symbol).then(
      read => current && setSrc(read),
      // without a picture the initial stays
      () => {},
    )
    return () => {
      current = false
    }
  }, [symbol, picture])
  return <Logo name={symbol} src={src} round />
}
