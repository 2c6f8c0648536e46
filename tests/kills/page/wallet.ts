/** The stack's installed wallet with a person who approves after a moment; every prompt is observed. */
import { orderKeyIn } from '../orderKeyIn.ts'
import { announce } from '../../stack/installed/standard.ts'
import { createInstalledWallet } from '../../stack/installed/wallet.ts'
import { walletName } from '../visitor.ts'

type SignTransaction = (...inputs: { transaction: Uint8Array }[]) => Promise<unknown>

/**
 * @param options.prompted receives the prompted order; the person sees it only once that is stored
 * @returns the wallet's address
 */
export function announceWallet(options: {
  word: string
  rpcUrl: string
  thinkMs(): number
  prompted(orderKey: string): Promise<void>
}): string {
  const { word, rpcUrl, thinkMs, prompted } = options
  const { wallet, control } = createInstalledWallet(
    { name: walletName, word, policy: { connect: 'approve', sign: 'approve' } },
    // No window: the policy answers
    { rpcUrl, panel: { ask: () => Promise.reject(new Error('no window here')) } as never },
  )
  const feature = wallet.features['solana:signTransaction'] as { signTransaction: SignTransaction }
  const signTransaction: SignTransaction = async (...inputs) => {
    for (const { transaction } of inputs) await prompted(orderKeyIn(transaction))
    await new Promise(done => setTimeout(done, thinkMs()))
    return feature.signTransaction(...inputs)
  }
  announce({
    ...wallet,
    features: { ...wallet.features, 'solana:signTransaction': { ...feature, signTransaction } },
    get accounts() {
      return wallet.accounts
    },
  })
  return control.address()
}
