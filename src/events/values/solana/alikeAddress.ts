/** @returns an address among those that begins and ends like another one, in either case: made to be taken for it */
export function lookAlike(to: string, known: readonly string[]): string | undefined {
  const ends = (address: string) => (address.slice(0, 4) + address.slice(-4)).toLowerCase()
  return known.find(one => one !== to && ends(one) === ends(to))
}
