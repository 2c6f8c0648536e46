import { useEffect, useState } from 'react'
import { usdcMintOf } from '../../../events/sale/terms/knownMints.ts'
import { shortAddress } from '../../../events/values/solana/shortAddress.ts'
import { Empty } from '../../kit/feedback/Empty.tsx'
import { Note } from '../../kit/feedback/Note.tsx'
import { SkeletonRow } from '../../kit/feedback/SkeletonRow.tsx'
import { wallet } from '../../kit/icons/icons.ts'
import { Logo, tintOf } from '../../kit/identity/Logo.tsx'
import { Row } from '../../kit/Row.tsx'
import { useModel, useSurroundings } from '../../react.tsx'
import { accountArea } from '../../texts/account/en.ts'
import { activityArea } from '../../texts/activity/en.ts'
import { decimalsIn } from '../../texts/amounts.ts'
import { basics } from '../../texts/basics/en.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { ReceiveTokens } from '../receive/ReceiveTokens.tsx'
import { ChainAssets, DollarFigure } from './Holdings.tsx'
import { NetworkMark } from '../../kit/identity/NetworkMark.tsx'
import type { HeldToken } from './tokens.ts'
import { useTokens } from '../useAccountData.ts'

/** The tokens of the account. Where no service lists them, those that this page reads from the chain itself. */
export function TokenList({ account }: { account: string }) {
  const t = useTexts(activityArea)
  const { tryAgain } = useTexts(basics)
  const held = useTokens()
  switch (held.phase) {
    case 'none':
      return <ChainAssets account={account} />
    case 'failed':
      return (
        <>
          <Note live="status">
            {t.someTokens}{' '}
            <button type="button" className="link touch" data-testid="tokens-again" onClick={held.again}>
              {tryAgain}
            </button>
          </Note>
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
          {held.tokens.map(token => (
            <li key={token.key}>
              <TokenRow token={token} />
            </li>
          ))}
        </ul>
      )
  }
}

function NoTokens() {
  const t = useTexts(activityArea)
  return (
    <Empty icon={wallet} fact={t.noTokens} action={<ReceiveTokens />}>
      {t.noTokensNote}
    </Empty>
  )
}

/** A token with its amount. Any mint may have any name and symbol: beside those of an unproved one stands the mint. */
function TokenRow({ token: { key, name, symbol, isNative, amount, value } }: { token: HeldToken }) {
  const { mint } = useTexts(accountArea)
  const decimals = decimalsIn(useLanguage())
  const isUsdc = useModel(({ network }) => network.phase === 'identified' && usdcMintOf(network.genesisHash) === key)
  const isProved = isNative || isUsdc
  return (
    <Row
      mark={
        isNative ? (
          <NetworkMark name="Solana" />
        ) : isUsdc ? (
          <UsdcLogo />
        ) : (
          <Logo name={symbol} tint={tintOf(key) as 1} round />
        )
      }
      name={name || symbol}
      sub={
        <span className="text-figures">
          {decimals(amount)} {symbol}
          {!isProved && ` · ${mint(shortAddress(key))}`}
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
  )
}

/** The initial of USDC, replaced by its picture once loaded. The service knows pictures by symbol, which proves no token. */
function UsdcLogo() {
  const { picture } = useSurroundings()
  const [src, setSrc] = useState<string>()
  useEffect(() => {
    let current = true
    picture('token', 'USDC').then(
      read => current && setSrc(read),
      // without a picture the initial stays
      () => {},
    )
    return () => {
      current = false
    }
  }, [picture])
  return <Logo name="USDC" src={src} round />
}
