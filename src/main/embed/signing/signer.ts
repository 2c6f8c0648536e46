/** The connected wallet as the signer of a host, and requests to its session. */
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import type { Connection } from '../../../events/subjects/wallet/connection.ts'
import { idsOf, isOfSolana } from '../../../events/values/networks.ts'
import type { CoreModel } from '../../../events/app.ts'
import { Fault } from '../../../runtime/failure.ts'
import { own } from '../../../runtime/schema/own.ts'
import { accountsOn, approvedChains } from '../../../worker/walletconnect/session/namespaces.ts'
import type { Addresses } from '../../config.ts'
import type { Page } from '../../page/page.tsx'

/** `account` in base58. */
export type HostSigner = { connection: Connection; account: string }

/**
 * @param method name of the host's call, for the error
 * @throws Fault `unauthorized` without a connected wallet
 */
export function activeSigner(page: Page, method: string): HostSigner {
  const active = activeConnection(page.store.model())
  if (active?.connection.phase === 'live') return active
  throw new Fault('unauthorized', `${method} expected a connected wallet, there is none`)
}

/**
 * @returns CAIP-2 ids: `here` of this page's network, former ones too; `ofPage` those of them under which the signer's session
 *   has its account; `all` these, then its other chains of Solana
 */
export function chainsOf({ network, session }: CoreModel, { connection, account }: HostSigner) {
  const namespaces = own(session, connection.sessionTopic ?? '')?.namespaces ?? {}
  const holds = (chain: string) => accountsOn(namespaces, chain).includes(`${chain}:${account}`)
  const here = network.phase === 'identified' ? idsOf(network.caip2) : []
  const approved = approvedChains(namespaces).filter(isOfSolana)
  return { ofPage: here.filter(holds), all: [...here, ...approved].filter(holds), here }
}

/** @returns whether the signer's session approved the method; false for an installed wallet, which has none */
export function approves({ session }: CoreModel, { connection }: HostSigner, method: string): boolean {
  const { namespaces } = own(session, connection.sessionTopic ?? '') ?? {}
  return Object.values(namespaces ?? {}).some(({ methods }) => methods.includes(method))
}

/** Sends a request to the wallet's session. @throws Fault `user_rejected`; `unknown` with the provider's sentence */
export async function askWallet(
  page: Page,
  addresses: Addresses,
  chain: string,
  request: { method: string; params: object },
): Promise<unknown> {
  const { startProvider } = await import('../../provider/startProvider.ts')
  const provider = await startProvider(page, addresses)
  return provider.request(request, chain).catch((cause: unknown) => {
    const { code, message } = Object(cause) as { code?: number; message?: string }
    throw new Fault(code === 4001 || code === 5000 ? 'user_rejected' : 'unknown', String(message))
  })
}
