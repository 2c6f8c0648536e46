/** The provider that Coinbase's browser puts into its pages: it signs objects of web3.js for real, without a prompt. */
import { signerFromWord, signTransaction } from '../wallet/signer.ts'

type Parsed = { serialize(): Uint8Array }

export function coinbaseProvider(word: string) {
  const signer = signerFromWord(word)
  const sign = (transaction: Parsed): Parsed => {
    const { bytes } = signTransaction(transaction.serialize(), [signer, signer])
    return { serialize: () => bytes }
  }
  const provider = {
    publicKey: null as { toString(): string } | null,
    async connect() {
      provider.publicKey = { toString: () => signer.address }
    },
    async disconnect() {
      provider.publicKey = null
    },
    signMessage: async (message: Uint8Array) => ({ signature: signer.sign(message) }),
    signTransaction: async (transaction: Parsed) => sign(transaction),
    signAllTransactions: async (transactions: Parsed[]) => transactions.map(sign),
  }
  return provider
}
