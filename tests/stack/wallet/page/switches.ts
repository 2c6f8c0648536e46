/** Behaviour of the wallet, from the page's URL, changed by the boxes on the page. */
export type PageSwitches = {
  /** Decides everything automatically, without showing it. */
  auto: '' | 'approve' | 'decline'
  /** Returns transactions with a changed amount. */
  alter: boolean
  /** Signs with another account. */
  other: boolean
  /** Shows requests, but its buttons do nothing. */
  silent: boolean
  /** The methods the wallet offers; undefined for all it knows. */
  methods: string[] | undefined
  /** The Solana chains it approves; undefined for all that are proposed. */
  chains: string[] | undefined
  /** The code a declined request is answered with. */
  declineCode: number
  /** Seed word of its key; undefined for a key generated once and stored. */
  seed: string | undefined
  /** The name it gives itself; undefined for Pocket. */
  name: string | undefined
}

/** Reads `?auto=approve&alter=1&other=1&silent=1&methods=a,b&chains=a,b&declineCode=4001&seed=word&name=Torch`. */
export function readSwitches(query: URLSearchParams): PageSwitches {
  const auto = query.get('auto')
  const on = (name: string): boolean => query.get(name) === '1'
  return {
    auto: auto === 'approve' || auto === 'decline' ? auto : '',
    alter: on('alter'),
    other: on('other'),
    silent: on('silent'),
    methods: query.get('methods')?.split(',').filter(Boolean),
    chains: query.get('chains')?.split(',').filter(Boolean),
    declineCode: query.get('declineCode') === '4001' ? 4001 : 5000,
    seed: query.get('seed') ?? undefined,
    name: query.get('name') ?? undefined,
  }
}
