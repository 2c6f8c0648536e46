import { WalletKit, type WalletKitTypes } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { answerRequest, type Described, describeRequest } from '../answers.ts'
import type { WalletChain } from '../chain.ts'
import type { TokenNames } from '../describe.ts'
import { approveSolana, chainName, methodsInWords } from '../namespaces.ts'
import type { Manner } from '../signer.ts'
import { bringVerifyNear } from '../verifyNear.ts'
import type { PageConfig } from './config.ts'
import type { Identity } from './identity.ts'
import type { PageSwitches } from './switches.ts'

/** A pending request or proposal. */
export type Ask = {
  key: string
  kind: 'proposal' | 'request'
  method: string
  who: string
  where: string
  /** the kit's validation of its origin: VALID, INVALID, UNKNOWN */
  verified: string
  words: Described
  approve(): Promise<string>
  decline(): Promise<string>
}

/** An open session as the page lists it. */
export type Session = { topic: string; name: string; url: string; chains: string[] }

/** The official wallet kit as used by the page. Approving and declining return a sentence for the log. */
export type Connection = {
  pair(uri: string): Promise<void>
  sessions(): Session[]
  disconnect(topic: string): Promise<void>
}

type Listeners = { asked(ask: Ask): void; withdrawn(key: string): void; changed(sentence: string): void }

/** Starts the kit with storage in this browser and delivers what was pending before a reload. */
export async function connectWallet(options: {
  config: PageConfig
  identity: Identity
  switches: PageSwitches
  chain: WalletChain
  listeners: Listeners
}): Promise<Connection> {
  const { config, identity, switches, chain, listeners } = options
  const core = new Core({
    projectId: config.projectId,
    relayUrl: config.relayUrl,
    customStoragePrefix: identity.storagePrefix,
    logger: 'silent',
    telemetryEnabled: false,
  })
  bringVerifyNear(core, config.verifyUrl)
  const kit = await WalletKit.init({
    core: core as unknown as WalletKitTypes.Options['core'],
    metadata: {
      name: switches.name ?? 'Pocket',
      description: 'A wallet for trying things out',
      url: location.origin,
      icons: [],
    },
  })

  type Proposal = WalletKitTypes.SessionProposal['params']
  type Asked = Pick<WalletKitTypes.SessionRequest, 'id' | 'topic' | 'params'> & { verifyContext?: Context }
  type Context = WalletKitTypes.SessionProposal['verifyContext']
  const onProposal = (id: number, params: Proposal, context?: Context): void => {
    const { methods, chains } = switches
    const proposed = [params.requiredNamespaces, params.optionalNamespaces]
    const namespaces = approveSolana(proposed, {
      address: identity.accounts[0].address,
      ...(methods && { methods }),
      ...(chains && { only: chains }),
    })
    const { name, url } = params.proposer.metadata
    const decline = async () => {
      const reason = namespaces
        ? { code: 5000, message: 'User rejected.' }
        : { code: 5100, message: 'Unsupported chains.' }
      await kit.rejectSession({ id, reason })
      return `Declined ${name}`
    }
    const approve = async () => {
      if (!namespaces) return decline()
      await kit.approveSession({ id, namespaces })
      return `Connected to ${name}`
    }
    const words = {
      title: 'wants to connect',
      lines: namespaces ? proposalLines(namespaces.solana) : ['It asks for no chain this wallet knows'],
    }
    listeners.asked({
      key: `proposal ${id}`,
      kind: 'proposal',
      method: 'wc_sessionPropose',
      who: name,
      where: url,
      verified: context?.verified.validation ?? 'UNKNOWN',
      words,
      approve,
      decline,
    })
  }
  const onRequest = ({ id, topic, params, verifyContext }: Asked): void => {
    const { method } = params.request
    const peer = kit.getActiveSessions()[topic]?.peer.metadata
    const answer = (body: { result: unknown } | { error: { code: number; message: string } }) =>
      kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', ...body } })
    const approve = async () => {
      const manner: Manner = switches.alter ? 'alter' : switches.other ? 'other' : 'plain'
      try {
        const result = await answerRequest(params.request, { accounts: identity.accounts, chain, manner })
        await answer({ result })
        return `Answered ${method}`
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        await answer({ error: { code: -32000, message } })
        return `Could not answer ${method}: ${message}`
      }
    }
    const decline = async () => {
      const code = switches.declineCode
      await answer({ error: { code, message: code === 4001 ? 'User rejected the request.' : 'User rejected.' } })
      return `Declined ${method}`
    }
    const words = requestWords(params.request, params.chainId, config.tokens)
    listeners.asked({
      key: `request ${id}`,
      kind: 'request',
      method,
      who: peer?.name ?? 'An app',
      where: peer?.url ?? '',
      verified: verifyContext?.verified.validation ?? 'UNKNOWN',
      words,
      approve,
      decline,
    })
  }

  kit.on('session_proposal', ({ id, params, verifyContext }) => onProposal(id, params, verifyContext))
  kit.on('session_request', onRequest)
  kit.on('proposal_expire', ({ id }) => listeners.withdrawn(`proposal ${id}`))
  kit.on('session_request_expire', ({ id }) => listeners.withdrawn(`request ${id}`))
  kit.on('session_delete', () => listeners.changed('The app ended the session'))
  for (const proposal of Object.values(kit.getPendingSessionProposals())) onProposal(proposal.id, proposal as Proposal)
  for (const request of kit.getPendingSessionRequests()) onRequest(request)

  return {
    pair: async uri => {
      await kit.pair({ uri })
    },
    sessions: () =>
      Object.values(kit.getActiveSessions()).map(({ topic, peer, namespaces }) => {
        const accounts = Object.values(namespaces).flatMap(namespace => namespace.accounts)
        const chains = [...new Set(accounts.map(account => chainName(account.split(':').slice(0, 2).join(':'))))]
        return { topic, name: peer.metadata.name, url: peer.metadata.url, chains }
      }),
    disconnect: topic => kit.disconnectSession({ topic, reason: { code: 6000, message: 'User disconnected.' } }),
  }
}

function proposalLines({ chains, methods }: { chains: string[]; methods: string[] }): string[] {
  return [
    `On ${[...new Set(chains.map(chainName))].join(', ')}`,
    ...methodsInWords(methods).map(words => `It may ${words}`),
  ]
}

function requestWords(request: { method: string; params: unknown }, chainId: string, names: TokenNames): Described {
  const { title, lines } = describeRequest(request, names)
  return {
    title: `asks: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    lines: [...lines, `On ${chainName(chainId)}`],
  }
}
