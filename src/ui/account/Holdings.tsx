import { useMemo } from 'react'
import { Skeleton } from '../kit/feedback/Skeleton.tsx'
import { Logo } from '../kit/identity/Logo.tsx'
import { Row } from '../kit/Row.tsx'
import { useCommand, useModel } from '../react.tsx'
import { holdingsOf } from './holdings.ts'
import { accountArea } from '../texts/account/en.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'

/** The SOL balance in large. An unknown balance is a dash with a retry, never 0. */
export function BalanceAmount({ account }: { account: string }) {
  const command = useCommand()
  const t = useTexts(accountArea)
  const balance = useModel(model => model.balance[account])
  const holdings = useHoldings(account)
  const sol = holdings?.find(holding => holding.symbol === 'SOL')
  const failed = balance?.failure !== undefined
  if (!holdings && !failed) {
    return (
      <div className="account-balance" data-testid="balance" aria-busy="true">
        <Skeleton width={140} tall />
        <span className="text-hidden">{t.readingBalance}</span>
      </div>
    )
  }
  return (
    <>
      <p className="account-balance text-figures" data-testid="balance">
        {sol?.figure ?? '–'}
        <small> SOL</small>
      </p>
      {holdings && balance?.amounts.SOL === '0' && <p className="text-hint">{t.noSol}</p>}
      {failed && (
        <p className="text-hint" role="status">
          {holdings ? t.mayBeOld : t.balanceUnknown}{' '}
          <button type="button" className="link" onClick={() => command({ type: 'balance.refresh', data: {} })}>
            {t.retry}
          </button>
        </p>
      )}
    </>
  )
}

/** The other assets, one row each; assets without a token account are left out. */
export function OtherAssets({ account }: { account: string }) {
  const others = useHoldings(account)?.filter(holding => holding.symbol !== 'SOL')
  return others?.map(({ symbol, name, figure, proved }) => (
    <Row
      key={symbol}
      mark={
        <Logo name={symbol} tint={4} round>
          {symbol === 'USDC' && proved ? '$' : undefined}
        </Logo>
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
