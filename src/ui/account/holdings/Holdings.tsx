import { useMemo } from 'react'
import { Skeleton } from '../../kit/feedback/Skeleton.tsx'
import { SkeletonRow } from '../../kit/feedback/SkeletonRow.tsx'
import { Logo } from '../../kit/identity/Logo.tsx'
import { Row } from '../../kit/Row.tsx'
import { useModel, useSurroundings } from '../../react.tsx'
import type { Dollars } from './decimal.ts'
import { holdingsOf } from './holdings.ts'
import { NetworkMark } from '../../kit/identity/NetworkMark.tsx'
import { timeSince } from '../activity/times.ts'
import { useTokens } from '../useAccountData.ts'
import { accountArea } from '../../texts/account/en.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { numbersIn } from '../../texts/numbers.ts'

/** The worth of the account in dollars, else its SOL, in large. An unknown balance is a dash with a retry, never 0. */
export function AccountBalance({ account }: { account: string }) {
  const { command, now } = useSurroundings()
  const language = useLanguage()
  const t = useTexts(accountArea)
  const balance = useModel(model => model.balance[account])
  const held = useTokens()
  const holdings = useHoldings(account)
  const sol = holdings?.find(holding => holding.symbol === 'SOL')
  const failed = balance?.failure !== undefined
  const age = holdings && balance && timeSince(balance.readAt, { language, now: now() })
  const worth = held.phase === 'read' && held.tokens.some(({ value }) => value) ? held.total : undefined
  if (!worth && !holdings && !failed) {
    return (
      <div className="account-balance" data-testid="balance" aria-busy="true">
        <Skeleton width={140} tall />
        <span className="text-hidden">{t.readingBalance}</span>
      </div>
    )
  }
  return (
    <>
      {worth ? (
        <p className="account-balance" data-testid="worth">
          <DollarFigure value={worth} />
        </p>
      ) : (
        <p className="account-balance" data-testid="balance">
          {sol?.figure ?? '–'}
          <small> SOL</small>
        </p>
      )}
      {holdings && balance?.amounts.SOL === '0' && <p className="text-hint">{t.noSol}</p>}
      {failed && (
        <p className="text-hint" role="status">
          {age === undefined ? t.balanceUnknown : t.mayBeOld(age)}{' '}
          <button type="button" className="link" onClick={() => command({ type: 'balance.refresh', data: {} })}>
            {t.retry}
          </button>
        </p>
      )}
    </>
  )
}

/** Dollars with quiet cents. */
export function DollarFigure({ value: { dollars, cents } }: { value: Dollars }) {
  const parts = numbersIn(useLanguage()).moneyTextParts(`${dollars}.${cents}`)
  return (
    <span dir="ltr">
      {parts.map(({ type, value }, at) =>
        type === 'decimal' || type === 'fraction' ? <small key={at}>{value}</small> : value,
      )}
    </span>
  )
}

/** The assets read from the chain, one row each; those without a token account are left out. */
export function ChainAssets({ account }: { account: string }) {
  const holdings = useHoldings(account)
  const hasFailed = useModel(model => model.balance[account]?.failure !== undefined)
  if (!holdings) return hasFailed ? null : <SkeletonRow />
  return holdings.map(({ symbol, name, figure, proved }) => (
    <Row
      key={symbol}
      mark={
        symbol === 'SOL' ? (
          <NetworkMark name="Solana" />
        ) : (
          <Logo name={symbol} tint={4} round>
            {symbol === 'USDC' && proved ? '$' : undefined}
          </Logo>
        )
      }
      name={name}
      end={
        <span className="text-figures">
          {figure} {symbol}
        </span>
      }
    />
  ))
}

function useHoldings(account: string) {
  const balance = useModel(model => model.balance)
  const sale = useModel(model => model.sale)
  const language = useLanguage()
  return useMemo(() => holdingsOf(language, { balance, sale }, account), [language, balance, sale, account])
}
