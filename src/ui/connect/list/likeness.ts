/** Warnings beside an installed wallet whose name another installed or listed wallet resembles. */
import type { ConnectionView } from '../../../events/subjects/wallet/connection.ts'
import type { InstalledView } from '../../../events/subjects/wallet/installed.ts'
import type { ConnectTexts } from '../../texts/connect/en.ts'

/** @returns whether an earlier connection used this very wallet, and no other installed one has the same identity */
export function isKnownWallet(walletKey: string, installed: InstalledView, made: ConnectionView['made']): boolean {
  const one = installed.find(here => here.walletKey === walletKey)
  if (one?.identity === undefined) return false
  const copies = installed.filter(here => here.identity === one.identity)
  return copies.length === 1 && Object.values(made).some(({ identity }) => identity === one.identity)
}

/** @param listed the listed wallet whose name this one resembles */
export function likenessWords(t: ConnectTexts, { twin = false, known = false, listed }: NameNotes): string | undefined {
  if (twin) return known ? t.sameNameKnown : t.sameName
  return listed === undefined ? undefined : t.namedLike(listed)
}

type NameNotes = { twin?: boolean; known?: boolean; listed?: string | undefined }
