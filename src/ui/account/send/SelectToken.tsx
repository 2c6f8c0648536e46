import { useState } from 'react'
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import { mostTokens } from '../../../events/subjects/sale/balance.ts'
import { formatAmount } from '../../../events/values/amount.ts'
import { shortAddress } from '../../../events/values/solana/shortAddress.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { SearchField } from '../../kit/controls/SearchField.tsx'
import { Empty } from '../../kit/feedback/Empty.tsx'
import { SkeletonRow } from '../../kit/feedback/SkeletonRow.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { refresh, warn } from '../../kit/icons/icons.ts'
import { search } from '../../kit/icons/iconsOfModal.ts'
import { Row } from '../../kit/Row.tsx'
import { ScrollArea } from '../../kit/surface/ScrollArea.tsx'
import { useDispatch, useModel } from '../../react.tsx'
import { amountsIn } from '../../texts/amounts.ts'
import { basics } from '../../texts/basics/en.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { numbersIn } from '../../texts/numbers.ts'
import { sendArea } from '../../texts/send/en.ts'
import { dollarsOf, productOf } from '../holdings/decimal.ts'
import { type Sendable, searched } from './sendable.ts'
import { TokenMark } from './TokenMark.tsx'
import { useDraft } from './useDraft.ts'
import { type Sendables, useSendables } from './useSendables.ts'

/** The tokens of the account on this network. A press chooses one, clears the amount and goes back. */
export function SelectToken() {
  const dispatch = useDispatch()
  const t = useTexts(sendArea)
  const { draft, write } = useDraft()
  const [typed, setTyped] = useState('')
  const sought = typed.trim()
  const sendables = useSendables(isSolanaAddress(sought) ? sought : draft.asset)
  const choose = (asset: string) => {
    if (asset !== draft.asset) write({ asset, amount: '' })
    dispatch({ type: 'screen.back', data: {} })
  }
  return (
    <div className="layout-stack">
      <div className="send-search">
        <SearchField label={t.search} text={typed} onText={setTyped} testId="send-search" />
      </div>
      <ScrollArea>
        <Rows sendables={sendables} typed={typed} choose={choose} />
      </ScrollArea>
    </div>
  )
}

function Rows(props: { sendables: Sendables; typed: string; choose: (asset: string) => void }) {
  const { sendables, typed, choose } = props
  const { all, balance, readAgain } = sendables
  const t = useTexts(sendArea)
  const { tryAgain } = useTexts(basics)
  const online = useModel(({ network }) => network.online)
  const found = searched(all, typed)
  const isRead = balance?.tokens !== undefined
  return (
    <>
      <p className="text-hint send-list">{t.yourTokens}</p>
      {found.map(token => (
        <TokenRow key={token.asset} token={token} choose={choose} />
      ))}
      {!isRead && !balance?.failure && online && (
        <div aria-busy="true">
          <SkeletonRow width={96} />
          <SkeletonRow width={64} />
        </div>
      )}
      {!isRead && (balance?.failure || !online) && (
        <Empty
          icon={warn}
          fact={t.notRead}
          action={
            <Button size="small" icon={<Icon path={refresh} small />} onClick={readAgain}>
              {tryAgain}
            </Button>
          }
        >
          {online ? t.reasons.silent : t.offline}
        </Empty>
      )}
      {isRead && found.length === 0 && (
        <Empty icon={search} fact={t.noTokens}>
          {t.noneAlike}
        </Empty>
      )}
      {(balance?.tokens?.length ?? 0) >= mostTokens && (
        <p className="text-hint send-list" data-testid="send-not-all">
          {t.mostListed(mostTokens)}
        </p>
      )}
    </>
  )
}

function TokenRow({ token, choose }: { token: Sendable; choose: (asset: string) => void }) {
  const t = useTexts(sendArea)
  const language = useLanguage()
  const { asset, symbol, name, units, decimals, price, frozen } = token
  const amount = units === undefined ? '–' : amountsIn(language)(units, decimals, { maxDecimals: 3 })
  const plain = units === undefined ? undefined : formatAmount(units, decimals, { group: false })
  const worth = plain === undefined || price === undefined ? undefined : dollarsOf(productOf(plain, price) ?? '')
  const held = `${amount} ${symbol}`
  const sub = asset === 'SOL' ? held : `${held} · ${t.mint(shortAddress(asset))}`
  return (
    <Row
      mark={<TokenMark token={token} />}
      name={name}
      sub={frozen ? t.frozen : <span className="text-figures">{sub}</span>}
      end={worth && numbersIn(language).moneyText(`${worth.dollars}.${worth.cents}`)}
      disabled={frozen}
      data-testid="send-token-row"
      data-asset={asset}
      onClick={() => choose(asset)}
    />
  )
}
