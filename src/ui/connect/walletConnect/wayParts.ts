import { Downloads } from '../Downloads.tsx'
import { GetWallet } from '../GetWallet.tsx'
import { Ways } from './Ways.tsx'

/** The other ways than the code, and where to get a wallet, in one file. */
export const wayParts = { Ways, Downloads, GetWallet }
