/** Warnings beside an installed wallet whose name another installed or listed wallet resembles. */
import type { ConnectionView } from '../../../events/subjects/connection.ts'
import type { InstalledView } from '../../../events/subjects/installed.ts'

/** @returns whether an earlier connection used this very wallet, and no other installed one has the same identity */
export function isKnownWallet(walletKey: string, installed: InstalledView, made: ConnectionView['made']): boolean {
  const one = installed.find(here => here.walletKey === walletKey)
  if (one?.identity === undefined) return false
  const copies = installed.filter(here => here.identity === one.identity)
  return copies.length === 1 && Object.values(made).some(({ identity }) => identity === one.identity)
}

/** @param listed the listed wallet whose name this one resembles */
export function likenessWords({ twin = false, known = false, listed }: NameNotes): string | undefined {
  if (twin)
    return known ? 'Same name as another wallet here. Looks like the one you used.' : 'Same name as another wallet here'
  return listed === undefined ? undefined : `Not ${listed}, only named like it`
}

type NameNotes = { twin?: boolean; known?: boolean; listed?: string | undefined }
