/** Wallets for Solana by the names that they announce, with their ids in the directory. */

const trust = ['4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0'] as const

/**
 * The first id is the wallet's as a connector; others are of the same wallet.
 * @see reference "Networks, namespaces, wallet constants", §7
 */
export const directoryIds: Readonly<Record<string, readonly [string, ...string[]]>> = {
  Phantom: ['a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'],
  Solflare: ['1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79'],
  Backpack: ['2bd8c14e035c2d48f184aaa168559e86b0e3433228d3c4075900a221785019b0'],
  Trust: trust,
  'Trust Wallet': trust,
  MetaMask: ['c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96'],
  Coin98: ['2a3c89040ac3b723a1972a33a125b1db11e258a6975d3a61252cd64e6ea5ea01'],
  'Magic Eden': ['8b830a2b724a9c3fbab63af6f55ed29c9dfa8a55e732dc88c80a196a2ba136c6'],
  'Bitget Wallet': ['38f5d18bd8522c244bdd70cb4a68e0e718865155811c043f052fb9f1c51de662'],
  Frontier: ['85db431492aa2e8672e93f4ea7acf10c88b97b867b0d373107af63dc4880f041'],
  'Coinbase Wallet': [
    'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa',
    'd0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8',
  ],
  'Binance Wallet': [
    '2fafea35bb471d22889ccb49c08d99dd0a18a37982602c33f696a5723934ba25',
    '8a0ee50d1f22f6651afcae7eb4253e52a3310b90af5daef78a8c4929a9bb99d4',
  ],
  'OKX Wallet': ['971e689d0a5be527bac79629b4ee9b925e82208e5168b733496a09c0faed0709'],
}
