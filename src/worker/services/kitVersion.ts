/** The version that services know this page by: framework, adapter and version of the kit whose calls it makes. */
export const kitVersion = 'html-solana-1.7.19'
