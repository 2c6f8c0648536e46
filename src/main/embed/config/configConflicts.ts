import type { ModalConfig } from './hostConfig.ts'

/** @returns one sentence for each two keys of a config that contradict each other: which one counts */
export function configConflicts(read: ModalConfig): string[] {
  const { allWallets, excludeWalletIds = [], featuredWalletIds = [], includeWalletIds = [], features } = read
  const excluded = excludeWalletIds.find(id => featuredWalletIds.includes(id) || includeWalletIds.includes(id))
  const ownLink = read.customWallets?.find(({ mobile_link: link }) => link && !/^https:/i.test(link))
  const conflicts: [isMet: unknown, sentence: string][] = [
    [
      features?.allWallets === false && allWallets !== undefined && allWallets !== 'HIDE',
      `allWallets ${allWallets} conflicts with features.allWallets false, the row is hidden`,
    ],
    [
      excluded !== undefined,
      `excludeWalletIds conflicts with another list about ${excluded?.slice(0, 80)}, it is excluded`,
    ],
    [
      read.zIndex !== undefined && read.themeVariables?.['--mai-z-index'] !== undefined,
      'zIndex conflicts with themeVariables.--mai-z-index, zIndex counts',
    ],
    [read.embedded && read.zIndex !== undefined, 'zIndex conflicts with embedded, the modal stands in its element'],
    [
      read.basic && allWallets === 'HIDE',
      'allWallets HIDE conflicts with basic, a phone begins with all wallets all the same',
    ],
    [
      read.preferUniversalLinks && ownLink,
      `preferUniversalLinks conflicts with customWallets about ${ownLink?.id.slice(0, 80)}, its mobile_link counts`,
    ],
    [read.basic && read.connectors, 'basic conflicts with connectors, wallets over WalletConnect alone are listed'],
    [
      features?.legalCheckbox && !read.termsUrl && !read.privacyUrl,
      'features.legalCheckbox expected termsUrl or privacyUrl to agree to, the box is left out',
    ],
  ]
  return conflicts.filter(([isMet]) => isMet).map(([, sentence]) => `createModal: ${sentence}`)
}
