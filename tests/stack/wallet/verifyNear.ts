import type { Core } from '@walletconnect/core'

/**
 * Redirects the kit from its two hard-coded verify servers to the stack's; its judgement stays its own.
 *
 * @param verifyUrl the stack's; absent: the kit gets no attestation, like a wallet that reaches no such server, without the
 *   wait of 5 s
 */
export function bringVerifyNear({ verify }: InstanceType<typeof Core>, verifyUrl: string | undefined): void {
  if (verifyUrl === undefined) verify.resolve = () => Promise.reject(new Error('this wallet reaches no verify service'))
  else Object.assign(verify, { verifyUrlV3: `${verifyUrl}/v3`, getVerifyUrl: () => verifyUrl })
}
