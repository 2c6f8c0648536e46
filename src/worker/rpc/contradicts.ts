import type { Failure } from '../../runtime/failure.ts'

const codes: readonly Failure['code'][] = ['treasury_mismatch', 'decimals', 'rpc_lying']

/** @returns whether the chain, as it was read, contradicts the terms or itself */
export function contradicts({ code }: Failure): boolean {
  return codes.includes(code)
}
