import { useModel } from '../../../react.tsx'
import { openOrder } from '../../../../events/subjects/order/order.ts'
import { Button } from '../../../kit/controls/Button.tsx'
import { Empty } from '../../../kit/feedback/Empty.tsx'
import { ExternalLink } from '../../../kit/controls/ExternalLink.tsx'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { clockIcon, out, wallet } from '../../../kit/icons/icons.ts'
import { Note } from '../../../kit/feedback/Note.tsx'
import { Swatch } from '../../../kit/identity/Swatch.tsx'
import { timeText } from '../../sale/figures.ts'
import { type PurchaseRow, purchasesCsv } from './purchaseRows.ts'
import { Section } from '../../Section.tsx'
import type { KnownSale } from '../../sale/saleStatus.ts'
import { useExplorer } from '../../sale/useExplorer.ts'
import { useSaleWords } from '../../saleWords.ts'

/** Purchases of the connected wallet. One component: a table's head and its cells stay side by side. */
export function Purchases({
  known,
  account,
  rows,
}: {
  known: KnownSale
  account: string
  rows: readonly PurchaseRow[]
}) {
  const { terms } = known
  const { order, sale, figures } = useSaleWords()
  const t = order.purchases
  const explorer = useExplorer()
  const read = useModel(model => model.purchase[account])
  // Then each amount says which it is
  const isCounted = rows.some(row => row.counted)
  const isOrdering = useModel(model => openOrder(model)?.account === account)
  return (
    <Section id="purchases" title={t.title} about={t.about}>
      {rows.length === 0 && isOrdering && <p className="text-hint">{t.soon}</p>}
      {rows.length === 0 && !isOrdering && read && !read.failure && !read.more && (
        <Empty icon={wallet} fact={t.none}>
          {t.noneNote}
        </Empty>
      )}
      {read?.failure && (
        <Note icon={clockIcon} className="purchases-after">
          {t.unread}
        </Note>
      )}
      {read?.more && (
        <Note icon={clockIcon} className="purchases-after">
          {read.more === 'unread' ? t.more : t.older}
        </Note>
      )}
      {rows.length === 0 && !isOrdering && !read && <p className="text-hint">{t.reading}</p>}
      {rows.length > 0 && (
        <>
          <table className="purchases">
            <thead>
              <tr>
                <th>{t.date}</th>
                <th className="purchases-number">{t.paid}</th>
                <th className="purchases-number">{isCounted ? terms.token.symbol : t.quoted(terms.token.symbol)}</th>
                <th>{t.status}</th>
                <th>
                  <span className="text-hidden">{sale.explorer}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => {
                const asset = terms.assets.find(listed => listed.symbol === row.asset)
                const shown = row.counted?.tokens ?? row.quoted
                return (
                  // One transaction may hold two payments
                  <tr
                    key={row.signature === rows[index - 1]?.signature ? `${row.signature} ${index}` : row.signature}
                    data-testid="purchase-row"
                    data-signature={row.signature}
                    data-code={row.code}
                  >
                    <td>
                      {figures.dayOf(row.at)}
                      <span className="purchases-sub">{timeText(row.at)}</span>
                    </td>
                    <td className="purchases-number">
                      {asset ? figures.paidNamed(row.units, asset, terms) : row.asset}
                    </td>
                    <td className="purchases-number text-strong">
                      {shown === '0'
                        ? '0'
                        : figures.amount(shown, terms.token.decimals, { maxDecimals: 3, minDecimals: 3 })}
                      {shown !== '0' && (
                        <span className={isCounted ? 'purchases-sub' : 'purchases-narrow'}>
                          {' '}
                          {row.counted ? t.countedMark : t.quotedMark}
                        </span>
                      )}
                    </td>
                    <td className="purchases-status-cell">
                      <span className="purchases-status">
                        <Swatch of={row.look} />
                        {row.status}
                      </span>
                      {row.reason && <span className="purchases-sub">{row.reason}</span>}
                      {row.backs?.map(({ payout }) => (
                        <span className="purchases-sub" key={payout.signature}>
                          <ExternalLink
                            className="link touch purchases-proof"
                            href={explorer({ tx: payout.signature })}
                            data-testid="refund-proof"
                          >
                            {t.refundProof}
                            <Icon path={out} small />
                          </ExternalLink>
                        </span>
                      ))}
                    </td>
                    <td>
                      <ExternalLink
                        className="icon-button"
                        href={explorer({ tx: row.signature })}
                        aria-label={sale.inExplorer}
                      >
                        <Icon path={out} small />
                      </ExternalLink>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
          <div className="purchases-after">
            <Button kind="outline" size="small" onClick={() => download(purchasesCsv(rows, terms))}>
              {t.csv}
            </Button>
          </div>
        </>
      )}
    </Section>
  )
}

function download(csv: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'purchases.csv'
  link.click()
  // The browser has read the blob's URL by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
