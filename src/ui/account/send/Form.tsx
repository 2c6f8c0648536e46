import { useEffect, useId, useRef, useState } from 'react'
import { solDecimals } from '../../../events/values/solana/fees.ts'
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import { formatAmount } from '../../../events/values/amount.ts'
import { failureOf, type SendOrder } from '../../../events/subjects/order/order.ts'
import { orderOnWay } from '../../../events/subjects/order/orderOnWay.ts'
import { isOfSale, mostSendable, recentRecipients } from '../../../events/subjects/order/sends.ts'
import { lookAlike } from '../../../events/values/solana/alikeAddress.ts'
import { shortAddress } from '../../../events/values/solana/shortAddress.ts'
import { AmountField } from '../../kit/controls/AmountField.tsx'
import { Button } from '../../kit/controls/Button.tsx'
import { classes } from '../../kit/classes.ts'
import { Note } from '../../kit/feedback/Note.tsx'
import { AssetButton } from '../../kit/identity/AssetButton.tsx'
import { useDispatch, useModel, useSurroundings } from '../../react.tsx'
import { amountsIn } from '../../texts/amounts.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { numbersIn } from '../../texts/numbers.ts'
import { basics } from '../../texts/basics/en.ts'
import { sendArea, type SendTexts } from '../../texts/send/en.ts'
import { useNotice } from '../../notices/useNotice.ts'
import { dollarsOf } from '../holdings/decimal.ts'
import { firstNeed, readTyped, type Sendable, worthOf } from './sendable.ts'
import { refusalWords } from './sendWords.ts'
import { TokenMark } from './TokenMark.tsx'
import { type Confirmation, useDraft } from './useDraft.ts'
import { useSendables } from './useSendables.ts'

/** Longest address that is taken from a paste, letters; a longer text is none anyway. */
const longest = 120
/** Pause of typing after which a wrong address is told, ms. */
const pauseMs = 500
/** Digits of a balance after the point. */
const shownDecimals = 5

/** The form of a transfer. Its one button says the first need that is not met. */
export function Form() {
  const dispatch = useDispatch()
  const t = useTexts(sendArea)
  const { draft, write, refused, request, isChecking } = useDraft()
  const { all, account, balance, readAgain } = useSendables(draft.asset)
  const online = useModel(({ network }) => network.online)
  const most = useModel(model => mostSendable(model.balance, account, draft.asset))
  const onWay = useModel(orderOnWay)
  const token = all.find(({ asset }) => asset === draft.asset)
  const need = firstNeed({ token, ...draft, account, most })
  const select = () => dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletSendSelectToken' } } })
  return (
    <div className="send">
      <OnWay of={onWay} />
      <Amount
        token={token}
        amount={draft.amount}
        most={most}
        isShort={need === 'insufficientFunds'}
        select={select}
        write={amount => write({ amount })}
      />
      <Recipient account={account} recipient={draft.recipient} write={recipient => write({ recipient })} />
      {balance?.failure && (
        <Note tone="warn" live="status">
          {t.notRead} <Retry press={readAgain} />
        </Note>
      )}
      {!online && <Note live="status">{t.offline}</Note>}
      {refused && <Refused order={refused} symbol={token?.symbol ?? ''} request={request} isChecking={isChecking} />}
      <div className="send-acts">
        <Button
          kind={need || onWay ? 'plain' : 'primary'}
          size="big"
          wide
          busy={isChecking}
          disabled={onWay !== undefined || (need !== undefined && need !== 'selectToken')}
          data-testid="send-review"
          onClick={() => (need === 'selectToken' ? select() : request([]))}
        >
          {isChecking ? t.checking : need ? t.needs[need] : t.review}
        </Button>
      </div>
    </div>
  )
}

function Retry({ press }: { press: () => void }) {
  const { tryAgain } = useTexts(basics)
  return (
    <button type="button" className="link" onClick={press}>
      {tryAgain}
    </button>
  )
}

function OnWay({ of }: { of: ReturnType<typeof orderOnWay> }) {
  const { dispatch, config } = useSurroundings()
  const t = useTexts(sendArea)
  if (!of) return null
  const [fact, next] = of === 'transfer' ? t.transferOnWay : t.purchaseOnWay
  return (
    <Note live="status" data-testid="send-on-way">
      <b>{fact}</b> {next}{' '}
      {of === 'transfer' ? (
        <button
          type="button"
          className="link"
          data-testid="send-show"
          onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletSendConfirmed' } } })}
        >
          {t.showTransfer}
        </button>
      ) : (
        !config.host && (
          <a className="link" href="#buy" onClick={() => dispatch({ type: 'screen.closed', data: {} })}>
            {t.showPurchase}
          </a>
        )
      )}
    </Note>
  )
}

function Amount(props: {
  token: Sendable | undefined
  amount: string
  most: string | undefined
  isShort: boolean
  select: () => void
  write: (amount: string) => void
}) {
  const { token, amount, most, isShort, select, write } = props
  const t = useTexts(sendArea)
  const language = useLanguage()
  const figure = amountsIn(language)
  const worth = token && amount !== '' ? worthOf(amount, token) : undefined
  const dollars = worth === undefined ? undefined : dollarsOf(worth)
  const held =
    token?.units === undefined ? undefined : figure(token.units, token.decimals, { maxDecimals: shownDecimals })
  return (
    <AmountField
      label={t.amount}
      data-testid="send-amount"
      value={amount}
      maxLength={40}
      disabled={!token}
      onChange={write}
      error={token && amountProblem(t, amount, token, isShort, figure, most)}
      under={dollars && numbersIn(language).moneyText(`${dollars.dollars}.${dollars.cents}`)}
      corner={
        held !== undefined && (
          <span className={classes('text-figures', isShort && 'text-bad')} data-testid="send-held">
            {held} {token?.symbol}
          </span>
        )
      }
      asset={
        <AssetButton
          className="send-token"
          mark={token && <TokenMark token={token} size="small" />}
          aria-label={token && t.changeToken(token.symbol)}
          data-testid="send-token"
          onClick={select}
        >
          {token?.symbol ?? t.selectToken}
        </AssetButton>
      }
      underEnd={
        token && most !== undefined && most !== '0' ? (
          <button
            type="button"
            className="link send-act"
            data-testid="send-max"
            onClick={() => write(formatAmount(most, token.decimals, { group: false }))}
          >
            {t.max}
          </button>
        ) : undefined
      }
    />
  )
}

function amountProblem(
  t: SendTexts,
  amount: string,
  { asset, symbol, decimals, units }: Sendable,
  isShort: boolean,
  figure: ReturnType<typeof amountsIn>,
  most: string | undefined,
): string | undefined {
  const read = readTyped(amount, decimals)
  if (!read.ok) {
    if (read.reason === 'empty') return undefined
    if (read.reason === 'too_many_decimals') return t.manyDecimals(symbol, decimals)
    return read.reason === 'too_large' ? t.tooLarge : t.notANumber
  }
  if (!isShort) return undefined
  if (asset !== 'SOL') return t.tokenShort
  const kept = BigInt(units ?? '0') - BigInt(most ?? '0')
  return t.solKept(`${figure(String(kept), solDecimals)} SOL`)
}

function Recipient(props: { account: string; recipient: string; write: (recipient: string) => void }) {
  const { account, recipient, write } = props
  const t = useTexts(sendArea)
  const notice = useNotice()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const isPaused = usePaused(recipient)
  const known = useModel(model => model.order)
  const take = (text: string) => write(text.replace(/\s+/g, '').slice(0, longest))
  const paste = () => {
    const read = navigator.clipboard?.readText?.() ?? Promise.resolve('')
    void read.catch(() => '').then(text => (text.trim() === '' ? notice('error', t.notPasted) : take(text)))
    field.current?.focus()
  }
  const alike = lookAlike(recipient, [...recentRecipients(known, account), account])
  const wrong = recipient === account ? t.own : isSolanaAddress(recipient) ? undefined : t.invalid
  const problem = recipient !== '' && isPaused ? wrong : undefined
  const isSale = useModel(model => isOfSale(model.sale, recipient))
  const odd = isSale ? t.rules.RECIPIENT_OF_SALE : alike === undefined ? undefined : t.alike(shortAddress(alike))
  const warning = recipient !== '' && !wrong ? odd : undefined
  return (
    <>
      <div className={classes('send-to', problem && 'is-bad')}>
        <div className="send-to-head">
          <label htmlFor={id}>{t.to}</label>
          {recipient === '' && (
            <button type="button" className="link send-act" data-testid="send-paste" onClick={paste}>
              {t.paste}
            </button>
          )}
        </div>
        <textarea
          ref={field}
          id={id}
          className={classes(recipient !== '' && 'address')}
          rows={2}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={longest}
          placeholder={t.addressHere}
          data-testid="send-recipient"
          value={recipient}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-under`}
          onChange={event => take(event.target.value)}
        />
      </div>
      <p className={classes('text-hint', problem && 'is-bad')} id={`${id}-under`} role="status">
        {problem ?? warning}
      </p>
    </>
  )
}

/** @returns whether the text has not changed for `pauseMs` */
function usePaused(text: string): boolean {
  const [told, setTold] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setTold(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return told === text
}

/** Refusals that a person may confirm, by their rule. */
const confirmable: Record<string, Confirmation> = {
  EARLIER_UNANSWERED: 'earlier',
  EARLIER_DECLINED: 'earlier',
  RECIPIENT_LOOKS_ALIKE: 'lookAlike',
  RECIPIENT_OFF_CURVE: 'offCurve',
  RECIPIENT_OF_SALE: 'ofSale',
}

function Refused(props: {
  order: SendOrder
  symbol: string
  request: (confirmed: readonly Confirmation[]) => void
  isChecking: boolean
}) {
  const { order, symbol, request, isChecking } = props
  const t = useTexts(sendArea)
  const language = useLanguage()
  const rule = failureOf(order)?.facts?.rule
  const odd = rule === undefined ? undefined : confirmable[rule]
  const confirmed = odd === undefined ? order.send.confirmed : [...order.send.confirmed, odd]
  return (
    <>
      <Note tone="warn" live="status" data-testid="send-refused">
        {odd === undefined && <b>{t.notSent}</b>} {refusalWords(t, order, symbol, language)}
      </Note>
      {odd !== undefined && (
        <Button wide disabled={isChecking} data-testid="send-anyway" onClick={() => request(confirmed)}>
          {t.sendAnyway}
        </Button>
      )}
    </>
  )
}
