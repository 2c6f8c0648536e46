/** The accounts that a request names as its signer, where wallets of each family have them in their params. */

/** Of methods whose params are a list: where the account stands in it. */
const listed: Readonly<Record<string, number>> = {
  personal_sign: 1,
  eth_sign: 0,
  eth_signTypedData: 0,
  eth_signTypedData_v3: 0,
  eth_signTypedData_v4: 0,
  wallet_getCapabilities: 0,
}
/** Of params that are an object, or a list with one: its members that name the account. */
const members = ['from', 'pubkey', 'signerAddress', 'address', 'account'] as const

/** @returns texts that may be addresses, the likeliest first; whoever has such an account is meant */
export function signersNamed(method: string, params: unknown): string[] {
  const list = Array.isArray(params) ? (params as unknown[]) : []
  const at = Object.hasOwn(listed, method) ? listed[method] : undefined
  const record = Array.isArray(params) ? list[0] : params
  const named: unknown[] = at === undefined ? [] : [list[at]]
  if (typeof record === 'object' && record !== null)
    for (const member of members) named.push((record as Record<string, unknown>)[member])
  return named.filter(one => typeof one === 'string')
}
