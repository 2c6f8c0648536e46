import { type ComponentProps, type ReactNode, useId } from 'react'
import { Skeleton } from '../feedback/Skeleton.tsx'
import { classes } from '../classes.ts'

interface AmountFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string
  /** The raw text of the field; the caller parses it. */
  value: string
  onChange: (text: string) => void
  /** The asset beside the figure: an `Asset` or an `AssetPick`. */
  asset: ReactNode
  /** At the end of the label's line: the balance. */
  corner?: ReactNode
  /** Below the figure: its value in dollars, or the price. */
  under?: ReactNode
  /** At the end of that line: Max. */
  underEnd?: ReactNode
  /** Error text; replaces `under` and describes the field. */
  error?: string | undefined
  /** Replaces the figure by a skeleton. */
  loading?: boolean
}

/** @returns the class that fits a figure of so many characters; each keeps that many beside the asset */
function lengthClass(length: number): string | undefined {
  if (length > 16) return 'is-longer'
  if (length > 13) return 'is-long is-full'
  if (length > 10) return 'is-long'
  return length > 7 ? 'is-medium' : undefined
}

/** An amount with its asset: one leg of the calculator. Long figures step down from 28 px to 20 and 16. */
export function AmountField(props: AmountFieldProps) {
  const { label, value, onChange, asset, corner, under, underEnd, error, loading, ...rest } = props
  const id = useId()
  return (
    <div className={classes('amount-field', error && 'is-bad')}>
      <div className="amount-field-head">
        <label htmlFor={id}>{label}</label>
        {corner}
      </div>
      <div className="amount-field-row">
        {loading ? (
          <span className="layout-grow">
            <Skeleton width={140} tall />
          </span>
        ) : (
          <input
            inputMode="decimal"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            placeholder="0"
            {...rest}
            id={id}
            className={lengthClass(value.length)}
            value={value}
            onChange={event => onChange(event.target.value)}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-under`}
          />
        )}
        {asset}
      </div>
      <div className="amount-field-foot">
        <span className={error && 'text-bad'} id={`${id}-under`}>
          {error ?? under}
        </span>
        {underEnd}
      </div>
    </div>
  )
}
