/** Finds the account that a request names as its signer, where each family has it in the params. */

/** Index of the account, for methods whose params are a list. */
const listed: Readonly<Record<string, number>> = {
  personal_sign: 1,
  eth_sign: 0,
  eth_signTypedData: 0,
  eth_signTypedData_v3: 0,
  eth_signTypedData_v4: 0,
  wallet_getCapabilities: 0,
}
/** Members that name the account, in params that are an object or a list with one. */
const members = ['from', 'pubkey', 'signerAddress', 'address', 'account'] as const

/** @returns texts that may be the signer's address, the likeliest first */
export function signersNamed(method: string, params: unknown): string[] {
  const list = Array.isArray(params) ? (params as unknown[]) : []
  const at = Object.hasOwn(listed, method) ? listed[method] : undefined
  const record = Array.isArray(params) ? list[0] : params
  const named: unknown[] = at === undefined ? [] : [list[at]]
  if (typeof record === 'object' && record !== null)
    for (const member of members) named.push((record as Record<string, unknown>)[member])
  return named.filter(one => typeof one === 'string')
}
