import { shortAddress } from '../../../events/values/shortAddress.ts'

/** An address or hash: whole with a line break allowed in the middle, or short. Its font keeps similar characters apart. */
export function Address({ value, short }: { value: string; short?: boolean }) {
  if (short) return <span className="address">{shortAddress(value)}</span>
  const middle = Math.ceil(value.length / 2)
  return (
    <span className="address">
      {value.slice(0, middle)}
      <wbr />
      {value.slice(middle)}
    </span>
  )
}
