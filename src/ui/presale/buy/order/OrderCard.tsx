import { classes } from '../../../kit/classes.ts'
import {
  askOf,
  builtOf,
  isAlarm,
  isBeforeWallet,
  isDead,
  isPaid,
  type Order,
  quoteOf,
  orderSignatureOf,
} from '../../../../events/subjects/order/order.ts'
import type { TermsAsset } from '../../../../events/sale/terms/termsShape.ts'
import { feeEstimate, mostFeeOf } from '../../../../events/values/solana/fees.ts'
import { shortAddress } from '../../../../events/values/solana/shortAddress.ts'
import { Address } from '../../../kit/identity/Address.tsx'
import { Button } from '../../../kit/controls/Button.tsx'
import { CopyButton } from '../../../kit/controls/CopyButton.tsx'
import { ExternalLink } from '../../../kit/controls/ExternalLink.tsx'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { go, out, shield } from '../../../kit/icons/icons.ts'
import { checkIcon } from '../../../kit/icons/iconsOfStart.ts'
import { Note } from '../../../kit/feedback/Note.tsx'
import { Swatch } from '../../../kit/identity/Swatch.tsx'
import { Tag } from '../../../kit/feedback/Tag.tsx'
import { OpenWallet } from '../../../OpenWallet.tsx'
import { useModel, useSurroundings } from '../../../react.tsx'
import { askingWords } from './askingWords.ts'
import { BuyButton } from '../BuyButton.tsx'
import { disputeWords, finalWords, orderWords, silenceWords } from './failureWords.ts'
import { sol } from '../../sale/figures.ts'
import { BuyBlockNote } from '../BuyBlockNote.tsx'
import { needsWords, orderTag, type OrderStep, stepsOf, verdictWords } from './orderSteps.ts'
import { OtherBuild } from '../../OtherBuild.tsx'
import { refundWords } from './refusalWords.ts'
import type { PurchaseRow } from '../purchases/purchaseRows.ts'
import { useRows } from '../purchases/useRows.ts'
import type { Buying } from '../useBuying.ts'
import { useExplorer } from '../../sale/useExplorer.ts'
import { useTick } from '../../sale/useSale.ts'
import { Changes, changesOf } from './Changes.tsx'
import { Receipt } from './Receipt.tsx'
import { paying } from './nextAction.ts'
import { Silence } from './Silence.tsx'
import { TreasuryNote } from '../TreasuryNote.tsx'
import { useSaleWords } from '../../saleWords.ts'

/** One order from the press to its end: the agreement, the progress, and the next action. One component: layout of its parts. */
export function OrderCard({ order, buying }: { order: Order; buying: Buying }) {
  const { known, buyBlock, action, press, leave, abandon } = buying
  // The payment is its buyer's, whichever account is connected now
  const { rows, verdicts } = useRows(known, order.account)
  const t = useSaleWords()
  const texts = t.order
  const asset = known?.terms.assets.find(listed => listed.symbol === order.asset)
  const signature = orderSignatureOf(order)
  const ask = askOf(order)
  const why = signature === undefined ? undefined : verdicts.refused.get(signature)
  const row = rows.find(one => one.signature === signature)
  const refund = why && known && row && refundWords(t, row, known.terms, row.backs?.[0]?.payout.paidAt)
  const counted = row?.counted
  const verdict = counted?.status ?? why
  const isMissed = row?.code === 'SALE_FAILED'
  const judged = isMissed ? ({ word: row.status, look: 'open' } as const) : verdict && verdictWords(t, verdict)
  const tag = orderTag(t, order, judged)
  const over = needsWords(order)
  const wasLate = useModel(({ request }) => {
    const asked = ask && request[ask.askId]
    return asked?.phase === 'ended' && asked.late !== undefined
  })
  const words = over ? orderWords(t, order, known?.terms, wasLate) : undefined
  const doubts = [disputeWords(t, order), silenceWords(t, order), finalWords(t, order)].flatMap(one => one ?? [])
  const moved = action.does === 'accept' && (order.phase === 'gateRefused' || order.phase === 'expired')
  const signed = signature !== undefined
  const asking = useModel(model => askingWords(t, model, order))
  const { now } = useSurroundings()
  const isAwaiting = order.phase === 'awaitingSignature'
  const awaited = order.phase === 'awaitingSignature' ? order.ask.askId : undefined
  const isAsked = useModel(({ request }) => awaited !== undefined && (request[awaited]?.phase ?? 'ended') !== 'ended')
  useTick(1000, order.phase === 'sending')
  return (
    <section
      className="buy order"
      id="buy"
      aria-label={texts.yourOrder}
      data-testid="order-status"
      data-phase={order.phase}
      data-order={order.orderId}
    >
      <header>
        <h2 tabIndex={-1}>{texts.yourOrder}</h2>
        <Tag {...(tag.look === 'hatch' ? { tone: 'accent' } : {})}>
          {tag.look !== 'none' && <Swatch of={tag.look} />}
          <output>{tag.word}</output>
        </Tag>
      </header>
      <BuyBlockNote buyBlock={buyBlock} />
      {!buyBlock && <OtherBuild isOrdering={!over} />}
      {known && asset && !moved && (
        <Figure
          order={order}
          asset={asset}
          buying={buying}
          row={row}
          isBack={isMissed || (verdict !== undefined && !counted)}
        />
      )}
      {why && refund && (
        <Note tone="warn" live="status" className="layout-above" data-testid="order-refund">
          <b>{texts.refused[why]}</b> {refund}
        </Note>
      )}
      {row && (isMissed || counted?.status === 'partial') && (
        <Note tone="warn" live="status" className="layout-above" data-testid="order-refund">
          {row.reason}
        </Note>
      )}
      {row?.twiceOf !== undefined && (
        <Note tone="warn" live="status" className="layout-above" data-testid="one-of-two">
          {texts.oneOfTwo}
        </Note>
      )}
      {words && (
        <Note
          {...(order.phase === 'gateRefused' || order.phase === 'unknown' ? { tone: 'warn' } : {})}
          live="status"
          className="layout-above"
        >
          {words.last && `${words.sentence} `}
          <b>{words.verdict}</b>
          {!words.last && ` ${words.sentence}`}
        </Note>
      )}
      {doubts.map(({ verdict, sentence }) => (
        <Note key={verdict} tone="warn" live="status" className="layout-above">
          <b>{verdict}</b> {sentence}
        </Note>
      ))}
      <Changes differences={changesOf(order)} asset={asset} />
      {isAwaiting && <Silence order={order} isHere={buying.isPlacedHere} onCancel={abandon} />}
      {known && isPaid(order) && !why && !isMissed && (
        <Receipt known={known} isListed={order.account === buying.account} />
      )}
      {moved && <Quotes order={order} buying={buying} />}
      {(!over || (order.phase === 'unknown' && !isAlarm(order))) && (
        <Steps steps={stepsOf(t, order, asking, judged, now())} signature={signature} />
      )}
      {isAsked && awaited !== undefined && (
        <div className="layout-above">
          <OpenWallet requestId={awaited} />
        </div>
      )}
      {signed && !over && !isPaid(order) && (
        <Note icon={shield} className="order-note">
          {texts.canClose}
        </Note>
      )}
      {signed && order.phase !== 'gateRefused' && <Proof signature={signature} />}
      {!(signed && !over && action.busy) && (
        <div className="layout-above">
          <BuyButton action={action} press={press} />
          {paying.includes(action.does) && <TreasuryNote known={known} />}
        </div>
      )}
      {isBeforeWallet(order) && (
        <Button wide onClick={abandon} className="order-again" data-testid="order-abandon">
          {t.basics.cancel}
        </Button>
      )}
      {over && order.phase !== 'unknown' && action.does !== 'leave' && (
        <Button wide onClick={leave} className="order-again" data-testid="order-dismiss">
          {texts.cancelOrder}
        </Button>
      )}
    </section>
  )
}

function Figure(props: {
  order: Order
  asset: TermsAsset
  buying: Buying
  row: PurchaseRow | undefined
  /** the payment comes back whole */
  isBack: boolean
}) {
  const { order, asset, row, isBack } = props
  const counted = row?.counted
  const { known } = props.buying
  const { order: t, figures } = useSaleWords()
  const { averageOf, paid, paidNamed, tokens } = figures
  if (!known) return null
  const { terms } = known
  const quote = quoteOf(order)
  const built = builtOf(order)
  const given = counted?.tokens ?? quote?.quoted
  const units = counted?.accepted ?? order.units
  const each = given && averageOf(terms, BigInt(units) * BigInt(asset.creditsPerUnit), BigInt(given))
  const about = isBack ? t.youPaid : counted ? t.countedFor : isPaid(order) ? t.quotedFor : t.forAmount
  return (
    <>
      {given && !isBack && (
        <p className={classes('order-figure', isDead(order) && 'text-muted')}>
          {tokens(given, terms)} {terms.token.symbol}
        </p>
      )}
      <p className="text-muted">
        {about} {paidNamed(units, asset, terms)}
        {each && !isBack && t.atEach(each)}
      </p>
      {built && !isBack && !isPaid(order) && (
        <p className="text-hint" data-testid="order-fee">
          {t.fee(paid(built.fee, sol))}
        </p>
      )}
      {order.phase === 'pressAwaited' && BigInt(order.built.fee) > mostFeeOf(feeEstimate) && (
        <Note tone="warn" live="status" className="layout-above" data-testid="order-dearer">
          {t.dearer(paid(order.built.fee, sol), paid(feeEstimate, sol))}
        </Note>
      )}
    </>
  )
}

/** The agreed quote and the current one, side by side. */
function Quotes({ order, buying: { known, orderQuote, asset } }: { order: Order; buying: Buying }) {
  const { order: t, figures } = useSaleWords()
  const { averageOf, price, tokens } = figures
  if (!known || !orderQuote || !asset) return null
  const { terms } = known
  const { symbol } = terms.token
  const credits = BigInt(orderQuote.credits)
  const seen = quoteOf(order)
  const { sale, curve } = known
  const seenPrice = seen && averageOf(terms, credits, BigInt(seen.quoted))
  const gone = curve.stages.find(stage => price(stage.price) === seenPrice && sale && BigInt(sale.pos) >= stage.end)
  return (
    <>
      {gone && <p className="text-hint layout-above">{t.stageSoldOut(gone.name)}</p>}
      <div className="order-quotes">
        {seen && (
          <>
            <div>
              <span className="text-hint">{t.youSaw}</span>
              <b>
                {tokens(seen.quoted, terms)} {symbol}
              </b>
              <span className="text-hint">{t.per(seenPrice ?? '', symbol)}</span>
              <span className="text-hint">{t.atLeast(tokens(seen.min, terms))}</span>
            </div>
            <Icon path={go} small />
          </>
        )}
        <div>
          <span className="text-hint">{t.now}</span>
          <b>
            {tokens(orderQuote.tokens, terms)} {symbol}
          </b>
          <span className="text-hint">{t.per(figures.priceText(orderQuote.averagePrice), symbol)}</span>
          <span className="text-hint">{t.atLeast(tokens(orderQuote.min, terms))}</span>
        </div>
      </div>
    </>
  )
}

function Steps({ steps, signature }: { steps: OrderStep[]; signature: string | undefined }) {
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        <li key={step.title} className={`is-${step.look}`} aria-current={step.look === 'now' ? 'step' : undefined}>
          <span className="steps-mark">{step.look === 'done' && <Icon path={checkIcon} />}</span>
          <span>
            <b>{step.title}</b>
            {step.sub && <span className="steps-sub">{step.sub}</span>}
            {index === 1 && signature !== undefined && (
              <span className="steps-sub">
                <Address value={signature} short />
              </span>
            )}
          </span>
          <span className="steps-when">{step.when}</span>
        </li>
      ))}
    </ol>
  )
}

/** The full signature for screen readers, to copy, and as a link to an explorer. */
function Proof({ signature }: { signature: string }) {
  const { order: t, sale } = useSaleWords()
  const { copy } = useSurroundings()
  const explorer = useExplorer()
  return (
    <div className="layout-two layout-above">
      <span className="text-hidden">
        {t.signature}{' '}
        <span data-testid="order-signature" data-signature={signature}>
          {signature}
        </span>
      </span>
      <CopyButton label={t.copySignature} onCopy={() => copy(signature)} />
      <ExternalLink
        className="button"
        href={explorer({ tx: signature })}
        aria-label={t.openInExplorer(shortAddress(signature))}
      >
        <Icon path={out} small />
        {sale.explorer}
      </ExternalLink>
    </div>
  )
}
