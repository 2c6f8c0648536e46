/** An address as `2xiX…8C3f`; one of up to 12 characters stays whole. */
export function shortAddress(address: string): string {
  return address.length > 12 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address
}

/** An address or hash: whole with a place to break in the middle, or short. Set so that no two characters look alike. */
export function Address({ value, short }: { value: string; short?: boolean }) {
  if (short) return <span className="addr">{shortAddress(value)}</span>
  const middle = Math.ceil(value.length / 2)
  return (
    <span className="addr">
      {value.slice(0, middle)}
      <wbr />
      {value.slice(middle)}
    </span>
  )
}
