import type { Core } from '@walletconnect/core'

/**
 * The kit asks two verify servers and no other. Here it asks the stack's in their place; how it judges what comes is its own.
 *
 * @param verifyUrl the stack's, or none: then the kit gets no word, as a wallet that reaches no such server, without the
 *   wait of 5 s
 */
export function bringVerifyNear({ verify }: InstanceType<typeof Core>, verifyUrl: string | undefined): void {
  if (verifyUrl === undefined) verify.resolve = () => Promise.reject(new Error('this wallet reaches no verify service'))
  else Object.assign(verify, { verifyUrlV3: `${verifyUrl}/v3`, getVerifyUrl: () => verifyUrl })
}
