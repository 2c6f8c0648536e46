/** Groups of the report, by file: the first that fits. */
const groups: readonly (readonly [name: string, files: RegExp])[] = [
  ['crash guard', /crashGuard|quarantine|openCore/],
  ['retention', /retention|repairLog|checkpointRow|segmentLines/],
  ['journal', /^src\/(?:worker|runtime)\/journal\//],
  ['follower', /tabs\/(?:followerTab|presentCore)/],
  ['leader', /^src\/(?:worker|runtime)\/tabs\//],
  ['supervisor', /^src\/(?:main\/page\/supervisor|runtime\/page)\//],
  ['calls', /^src\/(?:worker|runtime)\/(?:host|calls)\//],
  ['core', /^src\/(?:worker|runtime)\/core\//],
  ['folds', /^src\/events\//],
  ['screens', /^src\/ui\//],
  ['sale', /^src\/worker\/(?:ledger|(?:deciders|drivers\/solana)\/(?:order|sale))\//],
  ['transport', /\/transport\/|\/nodeSocket\.|^src\/worker\/rpc\//],
  ['relay', /^src\/worker\/deciders\/relay\//],
  ['sessions', /^src\/worker\/deciders\/(?:session|request|pairing)\//],
  ['services', /^src\/worker\/(?:deciders\/(?:services\/|project)|services\/)/],
  ['connection', /^src\/worker\/deciders\//],
  ['operator', /^scripts\/presale\//],
  ['WalletConnect', /^src\/worker\/(?:drivers\/)?walletconnect\//],
]

/** Every group's name, in the report's order. */
export const groupNames: readonly string[] = groups.map(([name]) => name)

/** @throws Error when the file is in no group */
export function groupOf(file: string): string {
  const found = groups.find(([, files]) => files.test(file))
  if (!found) throw new Error(`${file} expected to be in a group of the report, it is in none`)
  return found[0]
}
