import { own } from '../../../../runtime/schema/own.ts'
import { isAlarm, type Order } from '../../../../events/subjects/order/order.ts'
import type { TermsAsset } from '../../../../events/sale/terms/termsShape.ts'
import { writtenOut } from '../../../../events/values/text/cleanText.ts'
import type { TransactionDifference } from '../../../../events/values/solana/transaction.ts'
import { CopyButton } from '../../../kit/controls/CopyButton.tsx'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { down } from '../../../kit/icons/icons.ts'
import { useSurroundings } from '../../../react.tsx'
import { sol } from '../../sale/figures.ts'
import { type SaleWords, useSaleWords } from '../../saleWords.ts'

/** @returns the wallet's changes that the order was refused for, or that the network took */
export function changesOf(order: Order): readonly TransactionDifference[] {
  if (isAlarm(order)) return order.alarm.differences
  const isChanged = order.phase === 'gateRefused' && order.failure.code === 'wallet_changed_tx'
  return (isChanged && order.differences) || []
}

/** The fields the wallet altered, readable and copyable. @param props.asset the order's asset, for amounts of its units */
export function Changes(props: { differences: readonly TransactionDifference[]; asset: TermsAsset | undefined }) {
  const { differences, asset } = props
  const { copy } = useSurroundings()
  const t = useSaleWords()
  if (differences.length === 0) return null
  const rows = differences.map(
    one =>
      [nameOf(t, one.field), `${valueOf(t, one, one.expected, asset)} → ${valueOf(t, one, one.got, asset)}`] as const,
  )
  return (
    <details className="more layout-above">
      <summary className="touch">
        {t.order.seeChanges}
        <Icon path={down} small />
      </summary>
      <dl className="value-list">
        {rows.map(([field, change], at) => (
          <div key={at}>
            <dt>{field}</dt>
            <dd>{change}</dd>
          </div>
        ))}
      </dl>
      <CopyButton
        label={t.order.copy}
        size="small"
        className="layout-above"
        onCopy={() => copy(rows.map(([field, change]) => `${field}: ${change}`).join('\n'))}
      />
    </details>
  )
}

/** A field's name as a person reads it; another build's field as it is. */
function nameOf({ order }: SaleWords, field: string): string {
  return own<string>(order.fields, field) ?? field
}

const inLamports = ['transfer.lamports', 'priorityFee', 'fee']

/** An amount in its asset's own unit; anything else as it is, with invisible characters written out. */
function valueOf(
  { order, figures }: SaleWords,
  { of, field }: TransactionDifference,
  value: TransactionDifference['got'],
  asset: TermsAsset | undefined,
): string {
  const unit = inLamports.includes(field) ? sol : asset
  if (of === 'amount' && unit && typeof value === 'string' && /^\d{1,30}$/.test(value)) return figures.paid(value, unit)
  const word = of === 'word' ? own<string>(order.values, `${value}`) : undefined
  return word ?? (writtenOut([value ?? []].flat().join(' ')) || order.values.absent)
}
