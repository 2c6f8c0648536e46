import { useMemo } from 'react'
import { isOver } from '../../../../events/sale/sale.ts'
import { tranchesOf } from '../../../../events/sale/vesting.ts'
import { lesser } from '../../../../events/values/amount.ts'
import { classes } from '../../../kit/classes.ts'
import { CopyButton } from '../../../kit/controls/CopyButton.tsx'
import { ExternalLink } from '../../../kit/controls/ExternalLink.tsx'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { out } from '../../../kit/icons/icons.ts'
import { Swatch } from '../../../kit/identity/Swatch.tsx'
import { useModel, useSurroundings } from '../../../react.tsx'
import { holdingArea } from '../../../texts/holding/en.ts'
import { useTexts } from '../../../texts/language.tsx'
import { deliveryWords } from '../../sale/deliveryWords.ts'
import { timeText } from '../../sale/figures.ts'
import type { KnownSale } from '../../sale/saleStatus.ts'
import { useExplorer } from '../../sale/useExplorer.ts'
import { Section } from '../../Section.tsx'
import { useSaleWords } from '../../saleWords.ts'
import { referralLink } from '../referrer.ts'
import { refundDay } from '../order/refusalWords.ts'
import { isFinal, type PayoutRow, payoutRows } from './payoutRows.ts'
import type { PurchaseRow } from './purchaseRows.ts'

/** The account's figures in the audited books that this device knows, and the chain time of their end in ms. */
function useCounted(account: string): { tokens: bigint; bonus: bigint; time: number } | undefined {
  const accounted = useModel(model => model.purchase[account]?.accounted)
  return accounted && { tokens: sumOf(accounted.rows), bonus: BigInt(accounted.bonus), time: accounted.time }
}

/** Tokens of the connected account: those that the books count, those that wait for it, and the calendar of their delivery. */
export function Allocation(props: { known: KnownSale; account: string; rows: readonly PurchaseRow[] }) {
  const { known, account, rows } = props
  const { terms, sale, capabilities } = known
  const t = useTexts(holdingArea)
  const words = useSaleWords()
  const { figures } = words
  const counted = useCounted(account)
  const payouts = useModel(model => model.purchase[account]?.payouts)
  const inBooks = counted ? counted.tokens + counted.bonus : 0n
  const waiting = waitingIn(rows)
  const total = inBooks + waiting
  if (total === 0n || sale?.state === 'failed') return null
  const amount = (units: bigint) => `${figures.tokens(units, terms)} ${terms.token.symbol}`
  const delivery = deliveryWords(words, terms)
  // Without the books the parts are not known to the unit
  const arrived = counted ? sumOf(payouts?.filter(isFinal)) : 0n
  return (
    <Section id="allocation" title={t.allocation} about={capabilities.claim ? delivery : t.allocationAbout(delivery)}>
      <p className="holding-figure" data-testid="allocation">
        {amount(total)}
      </p>
      <p className="legend">
        {counted && (
          <span>
            <Swatch />
            {t.counted} <b>{amount(counted.tokens)}</b>
          </span>
        )}
        {counted && counted.bonus > 0n && (
          <span>
            <Swatch />
            {t.bonus} <b>{amount(counted.bonus)}</b>
          </span>
        )}
        {waiting > 0n && (
          <span>
            <Swatch of="hatch" />
            {t.notCounted} <b>{amount(waiting)}</b>
          </span>
        )}
      </p>
      {!counted && (
        <p className="holding-note">
          <a className="link touch" href="#trust">
            {t.notCountedNote}
          </a>
        </p>
      )}
      <ol className="holding-calendar">
        {tranchesOf(terms, total)
          .filter(({ tokens }) => tokens > 0n)
          .map(({ at, tokens }, index, parts) => {
            const due = parts.slice(0, index + 1).reduce((sum, part) => sum + part.tokens, 0n)
            const isHere = arrived >= due
            return (
              <li key={at} className={classes(isHere && 'is-here')}>
                <b>{figures.dayOf(at * 1000)}</b>
                <span>
                  {figures.share(tokens + total / 2000n, total)}
                  {isHere && ` · ${t.arrived}`}
                </span>
                <p>{amount(tokens)}</p>
              </li>
            )
          })}
      </ol>
    </Section>
  )
}

/** Tokens quoted for payments that the books do not reach. Of two payments of an order one counts, at least the lesser. */
function waitingIn(rows: readonly PurchaseRow[]): bigint {
  const found = new Map<string | number, bigint>()
  for (const [at, { isListed, look, quoted, twiceOf = at }] of rows.entries()) {
    if (!isListed || look !== 'hatch') continue
    found.set(twiceOf, lesser(BigInt(quoted), found.get(twiceOf) ?? BigInt(quoted)))
  }
  return [...found.values()].reduce((sum, tokens) => sum + tokens, 0n)
}

function sumOf(all: readonly { tokens?: string }[] = []): bigint {
  return all.reduce((sum, { tokens = '0' }) => sum + BigInt(tokens), 0n)
}

/** Deliveries and refunds of the account: those that an announced plan pays, and those that arrived; nothing while there are none. */
export function Payouts({ known: { terms }, account }: { known: KnownSale; account: string }) {
  const t = useTexts(holdingArea)
  const words = useSaleWords()
  const { figures } = words
  const explorer = useExplorer()
  const read = useModel(model => model.purchase[account])
  const plans = useModel(({ sale }) => sale.notices?.plans)
  const rows = useMemo(() => payoutRows(read ?? {}, terms, plans), [read, terms, plans])
  if (rows.length === 0) return null
  const amountOf = ({ asset, units = '0', tokens }: PayoutRow): string => {
    if (tokens !== undefined) return `${figures.tokens(BigInt(tokens), terms)} ${terms.token.symbol}`
    const listed = terms.assets.find(({ symbol }) => symbol === asset)
    return listed ? figures.paidNamed(units, listed, terms) : (asset ?? '')
  }
  return (
    <Section id="payouts" title={t.payouts} about={t.payoutsAbout}>
      <ul className="holding-payouts">
        {rows.map((row, index) => {
          const { payout, due } = row
          return (
            <li key={`${payout?.signature} ${index}`} data-testid="payout-row" data-signature={payout?.signature}>
              <span>
                {payout ? (
                  <>
                    {figures.dayOf(payout.paidAt)}{' '}
                    <i>
                      {timeText(payout.paidAt)}
                      {!isFinal(payout) && ` · ${words.order.rows.sending[0]}`}
                    </i>
                  </>
                ) : (
                  t.notSeen
                )}
              </span>
              <span>
                {row.tokens === undefined ? t.refund : t.delivery}
                {due !== undefined && (
                  <i>{due === 'refund' ? t.dueBy(refundDay(words, terms)) : t.due(figures.dayOf(due))}</i>
                )}
              </span>
              <b>{amountOf(row)}</b>
              {payout && (
                <ExternalLink className="link touch" href={explorer({ tx: payout.signature })}>
                  {t.proof}
                  <Icon path={out} small />
                </ExternalLink>
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

/** The account's referral link, when the sale pays for referrals; after the sale what it earned. A sale that failed pays none. */
export function Referral({ known: { terms, sale }, account }: { known: KnownSale; account: string }) {
  const { copy } = useSurroundings()
  const t = useTexts(holdingArea)
  const { figures } = useSaleWords()
  const counted = useCounted(account)
  const { bps, pool } = terms.referral
  const isEnded = sale !== null && isOver(sale)
  if (bps === 0 || sale?.state === 'failed' || (isEnded && !counted)) return null
  const { symbol } = terms.token
  const link = referralLink(location, account)
  const amount = (units: bigint) => `${figures.tokens(units, terms)} ${symbol}`
  return (
    <Section
      id="referral"
      title={t.referral}
      about={!isEnded && t.referralAbout(figures.share(BigInt(bps), 10_000n), symbol)}
    >
      {!isEnded && (
        <div className="holding-link">
          <output aria-label={t.link} dir="ltr">
            {link}
          </output>
          <CopyButton label={t.copyLink} onCopy={() => copy(link)} />
        </div>
      )}
      <p className="holding-note">
        {counted && `${t.earned(amount(counted.bonus), figures.momentOf(counted.time))} `}
        {t.pool(amount(BigInt(pool)))}
      </p>
    </Section>
  )
}
