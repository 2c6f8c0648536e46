/** The backends of a sale, each with the chain that the contract is run on. A second one is one line here. */
import { type BackendName, saleOffers, saleQuotes } from '../../src/events/sale/backend.ts'
import { canonicalTerms, readTerms, type Terms } from '../../src/events/sale/terms/terms.ts'
import { encodeBase58 } from '../../src/events/values/solana/base58.ts'
import { presaleRef } from '../../src/worker/chains/solana/references.ts'
import { messageBytes, withSignature } from '../../src/worker/chains/solana/wire.ts'
import type { BytesStore } from '../../src/worker/drivers/bytes.ts'
import type { Http } from '../../src/worker/drivers/http.ts'
import { purchaseBuilders } from '../../src/worker/drivers/solana/order/prepare.ts'
import { createRpc, type Rpc } from '../../src/worker/drivers/solana/rpc.ts'
import { createAccountsReader } from '../../src/worker/drivers/solana/sale/accountsReader.ts'
import { buyerReaders } from '../../src/worker/drivers/solana/sale/purchases.ts'
import { totalsReaders } from '../../src/worker/drivers/solana/sale/sale.ts'
import type { SaleBackend } from '../../src/worker/drivers/solana/sale/saleBackend.ts'
import { createVerify } from '../../src/worker/drivers/walletconnect/verify.ts'
import { createHttp } from '../../src/worker/host/aloneTransport.ts'
import { memoryBytes } from '../../src/worker/drivers/bytes.ts'
import { hashText } from '../../src/worker/services/notices.ts'
import { paymentParsers } from '../../src/worker/services/purchases.ts'
import { saleChecks } from '../../src/worker/services/saleChecks.ts'
import type { Verify } from '../../src/worker/services/signatures.ts'
import { exampleTermsText } from '../events/values/exampleTerms.ts'
import { type Keypair, seededKeypair } from '../stack/solana/keys.ts'
import { transfer } from '../stack/solana/programs.ts'
import { startSolana } from '../stack/solana/server.ts'

type Quoted = { tokens: string; min: string; overCap: string }

/** A sale of one backend on a chain, and its figures by hand. */
export type BackendWorld = {
  terms: Terms
  termsHash: string
  presaleRef: string
  ports: { rpc: Rpc; verify: Verify; bytes: BytesStore; http: Http; termsUrl: string }
  readAccounts: ReturnType<typeof createAccountsReader>
  /** an account with 50 SOL and 5000 USDC */
  buyer(): Keypair
  /** signs unsigned bytes, and lands them finally. @returns the signature */
  land(unsigned: Uint8Array, by: Keypair): Promise<string>
  /** a stranger's final transaction under the account's reference */
  intrude(account: string): void
  /** payments with their tokens, at a position of the price curve, and tokens with their least payment */
  vectors: {
    terms: Terms
    quotes: readonly { pos: string; asset: string; units: string; is: Quoted }[]
    leastPayments: readonly { pos: string; asset: string; tokens: string; units: string }[]
  }
  close(): Promise<void>
}

/** The whole interface, put together from its tables. */
export function backendOf(name: BackendName): SaleBackend {
  return {
    ...saleOffers[name],
    ...saleQuotes[name],
    ...saleChecks[name],
    ...paymentParsers[name],
    ...totalsReaders[name],
    ...buyerReaders[name],
    ...purchaseBuilders[name],
  }
}

async function directWorld(): Promise<BackendWorld> {
  const stack = await startSolana({ seed: 'backend', clock: 'manual' })
  const { terms } = readTerms(await (await fetch(`${stack.url}/terms.json`)).text())
  const ref = presaleRef(terms.authority, terms.id)
  const bytes = memoryBytes()
  const http = createHttp({ wait: async () => {}, fetch })
  const rpc = createRpc({ urls: [stack.url], http, expected: async () => terms.cluster.genesisHash })
  let count = 0
  return {
    terms,
    termsHash: hashText(canonicalTerms(terms)),
    presaleRef: ref,
    ports: { rpc, verify: createVerify(), bytes, http, termsUrl: `${stack.url}/terms.json` },
    readAccounts: createAccountsReader(rpc),
    buyer() {
      count += 1
      const buyer = seededKeypair('backend', `buyer ${count}`)
      stack.give(buyer.address, { sol: '50', usdc: '5000' })
      stack.chain.advance(2)
      return buyer
    },
    async land(unsigned, by) {
      const signature = by.sign(messageBytes(unsigned))
      const signed = withSignature(unsigned, by.address, signature)
      const options = { encoding: 'base64', skipPreflight: true }
      await rpc.call('sendTransaction', [Buffer.from(signed).toString('base64'), options])
      stack.chain.advance(40)
      return encodeBase58(signature)
    },
    intrude(account) {
      const stranger = seededKeypair('backend', 'stranger')
      stack.give(stranger.address, { sol: '50' })
      stack.chain.run([transfer(stranger.address, terms.treasury, 2_000_000_000n, [account])], [stranger])
      stack.chain.advance(40)
    },
    // Reference "Presale", §4 and §16
    vectors: {
      terms: readTerms(exampleTermsText).terms,
      quotes: [
        {
          pos: usd(149_900),
          asset: 'SOL',
          units: '2500000000',
          is: { tokens: '416666666666667', min: '395833333333334', overCap: '0' },
        },
        {
          pos: usd(150_300),
          asset: 'USDC',
          units: '375000000',
          is: { tokens: '312500000000000', min: '312499999999999', overCap: '0' },
        },
        {
          pos: usd(824_990),
          asset: 'SOL',
          units: '1000000000',
          is: { tokens: '6666666666667', min: '101333333333344', overCap: '937500000' },
        },
      ],
      leastPayments: [
        { pos: '0', asset: 'SOL', tokens: '1000000000000000', units: '3750000000' },
        { pos: usd(149_900), asset: 'USDC', tokens: '400000000000000', units: '380000000' },
      ],
    },
    close: () => stack.close(),
  }
}

const usd = (whole: number) => `${whole}000000000000`

export const backendWorlds: Record<BackendName, () => Promise<BackendWorld>> = { direct: directWorld }
