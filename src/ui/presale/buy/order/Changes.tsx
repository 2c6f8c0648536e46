import { own } from '../../../../runtime/schema/own.ts'
import { isAlarm, type Order } from '../../../../events/subjects/order.ts'
import type { TermsAsset } from '../../../../events/sale/terms/termsShape.ts'
import { writtenOut } from '../../../../events/values/cleanText.ts'
import type { TransactionDifference } from '../../../../events/values/transaction.ts'
import { CopyButton } from '../../../kit/controls/CopyButton.tsx'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { down } from '../../../kit/icons/icons.ts'
import { useSurroundings } from '../../../react.tsx'
import { paid, sol } from '../../sale/figures.ts'

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
  if (differences.length === 0) return null
  const rows = differences.map(
    one => [nameOf(one.field), `${valueOf(one, one.expected, asset)} → ${valueOf(one, one.got, asset)}`] as const,
  )
  return (
    <details className="more layout-above">
      <summary>
        See what changed
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
        label="Copy"
        size="small"
        className="layout-above"
        onCopy={() => copy(rows.map(([field, change]) => `${field}: ${change}`).join('\n'))}
      />
    </details>
  )
}

const names: Readonly<Record<string, string>> = {
  'transfer.lamports': 'Amount',
  'transfer.amount': 'Amount',
  'transfer.from': 'Paid from',
  'transfer.to': 'Paid to',
  'transfer.source': 'Paid from, token account',
  'transfer.destination': 'Paid to, token account',
  'transfer.references': 'Order references',
  'transfer.mint': 'Token',
  feePayer: 'Fee payer',
  priorityFee: 'Priority fee',
  instruction: 'Added instruction',
}

/** A field's name as a person reads it. */
function nameOf(field: string): string {
  const word = field.replace('transfer.', '')
  return own(names, field) ?? word.charAt(0).toUpperCase() + word.slice(1)
}

const inLamports = ['transfer.lamports', 'priorityFee', 'fee']

/** An amount in its asset's own unit; anything else as it is, with invisible characters written out. */
function valueOf(
  { of, field }: TransactionDifference,
  value: TransactionDifference['got'],
  asset: TermsAsset | undefined,
): string {
  const unit = inLamports.includes(field) ? sol : asset
  if (of === 'amount' && unit && typeof value === 'string' && /^\d{1,30}$/.test(value)) return paid(value, unit)
  return writtenOut([value ?? []].flat().join(' ')) || 'absent'
}
