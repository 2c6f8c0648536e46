import type { Terms } from '../../../src/events/sale/terms/terms.ts'

/** The terms of the reference's test vectors ("Presale", §16). Their canonical text hashes to `exampleTermsHash`. */
export const exampleTermsText = `{"format":"mai-presale-terms/1","id":"mai-presale-1","version":1,
 "cluster":{"name":"mainnet-beta","genesisHash":"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"},
 "authority":"6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3","treasury":"8YiSCNNh1SEDn4C3LHuABytuVSdtkrYVL4GRfKLtWSDa",
 "token":{"symbol":"MAI","mint":"Fv6UVAGyoQT5x1ieEcUW3jU199m8HrHgxPDL4Zhi7obC","decimals":9,"program":"spl-token"},
 "unit":{"symbol":"USD","decimals":12},
 "assets":[{"symbol":"SOL","kind":"native","decimals":9,"creditsPerUnit":"160000"},
           {"symbol":"USDC","kind":"spl","mint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","decimals":6,"creditsPerUnit":"1000000"}],
 "start":1798761600,"end":1801353600,
 "stages":[{"name":"Stage 1","credits":"150000000000000000","price":"600000000"},
           {"name":"Stage 2","credits":"300000000000000000","price":"1200000000"},
           {"name":"Stage 3","credits":"375000000000000000","price":"1500000000"}],
 "softCap":"200000000000000000","minOrder":"10000000000000","maxBuyer":"25000000000000000",
 "access":{"mode":"open"},"referral":{"bps":300,"pool":"15000000000000000"},
 "vesting":{"tgeAt":1801958400,"tgeBps":2500,"cliffSeconds":0,"periodSeconds":2592000,"periods":3},
 "refund":{"minUnits":{"SOL":"1000000","USDC":"10000"},"withinDays":14},"unsold":"burn",
 "legal":{"url":"https://example.org/mai/terms","sha256":"c28f71df40f11fdae87fd0e5b98356e09f0ecfe5a6e0e33e9cb4634977755de0",
          "blockedRegions":["CU","IR","KP","SY","US"],"acknowledge":["terms","region","risk"]}}`

export const exampleTermsHash = '0c1754de9a252f451853f5a98ef2fb13586548be68a34302ea3f1eb9ee0c7a5f'

/** @returns the example terms as a fresh object, not yet checked, with `changes` laid over its top level */
export function exampleTerms(changes: Partial<Terms> = {}): Terms {
  return { ...(JSON.parse(exampleTermsText) as Terms), ...changes }
}

/** @returns the example terms with a token that has no parts, at one price: by default 10 dollars, as much as the smallest order */
export function wholeTerms(price = '10000000000000'): Terms {
  const { token } = exampleTerms()
  return exampleTerms({
    token: { ...token, decimals: 0 },
    stages: [{ name: 'Stage 1', credits: '825000000000000000', price }],
  })
}
