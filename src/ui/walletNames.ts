/** Other names of a wallet. */
const aliases: Readonly<Record<string, string>> = { trust: 'trust wallet', 'io.metamask.mobile': 'io.metamask' }

/** @returns the name by which two names of a wallet, or two reversed host names, are compared: case and outer spaces are ignored */
export function plainName(name: string): string {
  const plain = name.trim().toLowerCase()
  return Object.hasOwn(aliases, plain) ? (aliases[plain] ?? plain) : plain
}

/** @returns whether two names read the same to a person */
export function sameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other)
}
