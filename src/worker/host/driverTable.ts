/** Every driver of this worker under the effects it carries out. */
import type { EffectData } from '../../events/effect.ts'
import type { Redirect } from '../../events/schema/fields.ts'
import type { CoreConfig } from '../../events/wire.ts'
import type { BytesStore } from '../drivers/bytes.ts'
import type { Drive } from '../../runtime/host/driver.ts'
import type { KeyStore } from '../drivers/walletconnect/keys.ts'
import { drive } from '../drivers/drive.ts'
import { loadOrderParts } from '../drivers/solana/orderParts.ts'
import type { Failure } from '../../runtime/failure.ts'
import { driveLater } from '../../runtime/host/driveLater.ts'
import { later } from '../../runtime/later.ts'
import type { AskedByPage } from '../drivers/walletconnect/pageAnswer.ts'
import type { Http } from '../drivers/http.ts'
import { type Clock, createTimerDriver } from '../../runtime/host/timer.ts'
import { createVerify, somePoint } from '../drivers/walletconnect/verify.ts'
import {
  createWalletConnect,
  type LoadClient,
  type WalletConnectDriver,
} from '../drivers/walletconnect/walletConnect.ts'
import type { Draft } from '../../runtime/core/draft.ts'
import type { Verify } from '../services/signatures.ts'

/** More than the requests that one life has under way at once. */
const numbersALife = 1_000_000

/** Effects of the transport. */
const ofRequests = ['http.post', 'http.send', 'http.settle', 'rpc.settle'] as const

/** Effects whose drivers read the chain or the sale's files, or send transactions. */
const ofChain = [
  'chain.identify',
  'chain.readTerms',
  'chain.readNotices',
  'chain.readFeed',
  'chain.readMint',
  'chain.readSale',
  'chain.readBalances',
  'chain.readPurchases',
  'chain.watchInvoice',
  'chain.prepareOrder',
  'chain.prepareSend',
  'chain.insertSignature',
  'chain.submit',
  'chain.watch',
  'node.listen',
  'sale.readLegal',
  'sale.readAccess',
  'sale.readContent',
  'ledger.compute',
  'ledger.steer',
] as const

export type Drivers = {
  table: { [type: string]: Drive }
  /** Failure of an effect that is not in the table. */
  absent?: Failure
  walletConnect: WalletConnectDriver
  verify: Verify
  /** Loads what an order needs. @returns whether all of it is there */
  ready(): Promise<boolean>
  /** The device slept, or its clock was set: timers are set anew. */
  jumped(): void
  /** Lets go of timers, of requests and of the socket. */
  stop(): void
}

type Ports = {
  config: CoreConfig
  life: number
  /** the page's own network, where it is known, and those to choose from, by CAIP-2 id */
  offered: readonly string[]
  keys: KeyStore
  bytes: BytesStore
  clock: Clock
  /** Takes inputs that no effect asked for: frames of the relay, requests of drivers. @throws when one does not fit */
  emit(input: Draft): void
  /** The node serves another chain than this log's: every page begins again with that chain's. */
  relocate(genesisHash: string): Promise<void>
  /** Goes to the log of another network; absent: there is no choice. */
  switchNetwork?: Drive
  /** Brings the WalletConnect client; the usual way when absent. */
  loadClient?: LoadClient
  askedByPage(payloadId: string): AskedByPage | undefined
  /** Whether somebody listens to a session's events of this name. */
  isSubscribed(topic: string, event: string): boolean
  peerOn?(topic: string): { url: string; redirect?: Redirect } | undefined
}

/** Makes the drivers. One function: a table of what each effect is carried out by. */
export function createDrivers(ports: Ports): Drivers {
  const { config, life, keys, bytes, clock, emit, relocate, loadClient, askedByPage, isSubscribed, peerOn } = ports
  const { switchNetwork, offered } = ports
  const { now } = clock
  const { solanaRpcUrl: rpcUrl, moreRpcUrls = [], termsUrl, sale, apiUrl, configUrl, projectId } = config
  const verify = createVerify()
  const wire = later('making requests', async () => {
    const { createTransport } = await import('../drivers/transport/transport.ts')
    return createTransport({ take: emit, now, first: life * numbersALife })
  })
  const transport = async () => (await wire.get()).transport
  const requests = later('making requests', async () => (await wire.get()).drivers)
  const http: Http = {
    text: async request => (await transport()).text(request),
    bytes: async request => (await transport()).bytes(request),
    json: async request => (await transport()).json(request),
  }
  const timers = createTimerDriver(clock)
  const walletConnect = createWalletConnect({
    keys,
    bytes,
    verify,
    now,
    emit,
    relayUrls: config.relayUrls,
    online: () => navigator.onLine,
    askedByPage,
    isSubscribed,
    ...(peerOn && { peerOn }),
    ...(loadClient && { load: loadClient }),
    verifying: { http, projectId, url: config.verifyUrl, key: config.verifyKey },
  })
  const chain = later('reading the chain', async () => {
    const [{ createSolanaDriver }, http] = await Promise.all([import('../drivers/solana/solana.ts'), transport()])
    const rpcUrls = [rpcUrl, ...moreRpcUrls]
    return createSolanaDriver({
      rpcUrls,
      ...(config.rpcBatch && { batch: config.rpcBatch }),
      termsUrl,
      ...(sale && { sale }),
      http,
      bytes,
      now,
      passed: clock.passed,
      emit,
      verify,
    })
  })
  // The chain is identified first of all; the file comes while the log is read
  void chain.get().catch(() => undefined)
  const directory = later('reading the wallet directory', async () => {
    const { createDirectoryDriver, listChains } = await import('../drivers/directory.ts')
    return createDirectoryDriver({
      configUrl,
      projectId,
      chains: listChains(offered),
      prefersUniversal: config.preferUniversalLinks,
      onPhone: config.onPhone,
      custom: config.customWallets,
      http,
    })
  })
  const blockchain = later('calling the Blockchain API', async () => {
    const { createBlockchainDriver } = await import('../drivers/blockchain.ts')
    return createBlockchainDriver({ apiUrl, projectId, http, clientId: walletConnect.clientId })
  })
  const project = later('reading the project configuration', async () => {
    const { createProjectDriver } = await import('../drivers/project.ts')
    return createProjectDriver({ configUrl, projectId, http, origin: location.origin })
  })
  const contracts = later('asking a contract wallet', async () => {
    const { createContractAsker } = await import('../drivers/walletconnect/contractAsker.ts')
    return createContractAsker({ http, rpcUrls: config.evmRpcUrls ?? {} })
  })
  const pulse = later('sending analytics', async () => {
    const { createPulseDriver } = await import('../drivers/pulse.ts')
    return createPulseDriver({ ...config, http })
  })
  const table: { [type: string]: Drive } = {
    ...timers.drivers,
    ...Object.fromEntries(ofRequests.map(type => [type, driveLater<string>(type, requests)])),
    ...walletConnect.drivers,
    ...Object.fromEntries(ofChain.map(type => [type, driveLater<string>(type, chain)])),
    'bytes.forget': drive<EffectData['bytes.forget']>(async ({ refs }) => {
      await bytes.forget(refs)
      return undefined
    }),
    'directory.read': driveLater('directory.read', directory),
    'service.call': driveLater('service.call', blockchain),
    'project.read': driveLater('project.read', project),
    'project.readOrigins': driveLater('project.readOrigins', project),
    'pulse.send': driveLater('pulse.send', pulse),
    'pulse.readSwitch': driveLater('pulse.readSwitch', pulse),
    'auth.askContract': driveLater('auth.askContract', contracts),
    ...(switchNetwork && { 'core.switchNetwork': switchNetwork }),
    'core.relocate': ({ data }) => relocate(data.genesisHash),
  }
  return {
    table,
    walletConnect,
    verify,
    ready() {
      // Checking anything brings what checks the signed transaction later, in browsers that need ours for it. libgcrypt
      // 1.10 ends its process over a key that is no point of the curve, such as 32 zero bytes
      const check = verify(new Uint8Array(64), new Uint8Array(), somePoint())
      return Promise.all([loadOrderParts(), check]).then(
        () => true,
        () => false,
      )
    },
    jumped: timers.jumped,
    stop() {
      timers.stop()
      if (wire.begun())
        void wire.get().then(
          ({ stop }) => stop(),
          () => undefined,
        )
      void table['relay.close']?.({ id: '', data: {} }, () => undefined)
      void table['ledger.steer']?.({ id: '', data: { act: 'stop' } }, () => undefined)
      void table['node.listen']?.({ id: '', data: { to: [] } }, () => undefined)
    },
  }
}
