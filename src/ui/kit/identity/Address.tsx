import { Fragment } from 'react'
import { shortAddress } from '../../../events/values/solana/shortAddress.ts'

/**
 * An address or hash: whole, with line breaks allowed in the middle, and of a hash at its quarters; or short. Its font keeps
 * similar characters apart.
 */
export function Address({ value, short }: { value: string; short?: boolean }) {
  if (short) return <span className="address">{shortAddress(value)}</span>
  const pieces = value.length > 48 ? 4 : 2
  const size = Math.ceil(value.length / pieces)
  return (
    <span className="address">
      {Array.from({ length: pieces }, (_, at) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {value.slice(at * size, (at + 1) * size)}
        </Fragment>
      ))}
    </span>
  )
}
