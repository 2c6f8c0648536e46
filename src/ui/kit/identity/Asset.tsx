import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '../icons/Icon.tsx'
import { down } from '../icons/icons.ts'

/** A token as a pill: logo and symbol. */
export function Asset({ mark, symbol }: { mark: ReactNode; symbol: string }) {
  return (
    <span className="asset is-flat">
      {mark}
      {symbol}
    </span>
  )
}

interface AssetPickProps extends Omit<ComponentProps<'select'>, 'onChange' | 'aria-label'> {
  mark: ReactNode
  label: string
  value: string
  /** Symbols to choose from. */
  options: readonly string[]
  /** Label of a symbol in the list and on the pill; default the symbol itself. */
  labelOf?: (symbol: string) => string
  onChange: (symbol: string) => void
}

/** The same pill under a native select, for the platform's own list and keys. */
export function AssetPick({
  mark,
  label,
  value,
  options,
  labelOf = symbol => symbol,
  onChange,
  ...rest
}: AssetPickProps) {
  return (
    <span className="asset is-pick">
      {mark}
      <span aria-hidden="true">{labelOf(value)}</span>
      <Icon path={down} small />
      <select {...rest} aria-label={label} value={value} onChange={event => onChange(event.target.value)}>
        {options.map(symbol => (
          <option key={symbol} value={symbol}>
            {labelOf(symbol)}
          </option>
        ))}
      </select>
    </span>
  )
}
