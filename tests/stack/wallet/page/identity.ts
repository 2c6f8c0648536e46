import { type Signer, signerFromWord } from '../signer.ts'

/** The wallet's account, and the one it confuses it with. */
export type Identity = {
  accounts: [Signer, Signer] /** Keeps sessions of different keys apart. */
  storagePrefix: string
}

const place = 'pocket-wallet-word'

/** @param seed seed word of a fixed key; without it a word is generated once and stored in this browser */
export function readIdentity(seed: string | undefined): Identity {
  const word = seed ?? keptWord()
  const accounts: [Signer, Signer] = [signerFromWord(word), signerFromWord(`${word}, second account`)]
  return { accounts, storagePrefix: accounts[0].address.slice(0, 12) }
}

function keptWord(): string {
  const kept = localStorage.getItem(place)
  if (kept) return kept
  const made = Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(16)).join('-')
  localStorage.setItem(place, made)
  return made
}
