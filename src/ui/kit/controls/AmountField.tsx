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
            className={classes(
              // Each keeps as many characters beside the asset
              value.length > 16 ? 'is-longer' : value.length > 10 ? 'is-long' : value.length > 7 && 'is-medium',
              value.length > 13 && value.length <= 16 && 'is-full',
            )}
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
