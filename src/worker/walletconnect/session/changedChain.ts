/**
 * The chain a wallet is on after a `chainChanged` event. Wallets write it as a number, as decimal or hex text, as a bare
 * reference or as CAIP-2; where the event's own chain says otherwise, the data is believed, as the official provider does.
 *
 * @param data of the event
 * @param chainId of the event, CAIP-2: its namespace is the one a bare reference belongs to
 * @returns CAIP-2, or undefined when neither says a chain
 */
export function changedChain(data: unknown, chainId: string): string | undefined {
  const envelope = caip2(chainId)
  const said = referenceIn(data)
  if (said === undefined) return envelope
  if (said.includes(':')) return caip2(said) ?? envelope
  return envelope === undefined ? undefined : (caip2(`${envelope.slice(0, envelope.indexOf(':'))}:${said}`) ?? envelope)
}

function referenceIn(data: unknown): string | undefined {
  if (typeof data === 'number') return Number.isSafeInteger(data) && data >= 0 ? String(data) : undefined
  if (typeof data === 'string')
    return /^0x[0-9a-f]{1,13}$/i.test(data) ? String(Number.parseInt(data, 16)) : data.slice(0, 100)
  // Some wallets put it under a name
  const { chainId } = (typeof data === 'object' && data !== null ? data : {}) as { chainId?: unknown }
  return typeof chainId === 'string' || typeof chainId === 'number' ? referenceIn(chainId) : undefined
}

function caip2(text: string): string | undefined {
  return /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,64}$/.test(text) ? text : undefined
}
