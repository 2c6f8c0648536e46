/** How the verify service misbehaves at the moment. */
export type VerifySwitches = {
  /**
   * What the attestation page does: `silent` loads and says nothing, `never` does not load, `errorPage` is an HTTP error,
   * `refused` may not be shown in a frame, as for a page that is not registered, `nothing` says that there is no attestation, `unsaid` says so, too, but keeps one for wallets that ask,
   * `wrongId` is about another message, `wrongSignature` is signed by nobody's key, `expired` is over, `garbage` says what
   * means nothing and then nothing more, `elsewhere` lets a page of another origin say it.
   */
  page:
    | 'well'
    | 'silent'
    | 'never'
    | 'errorPage'
    | 'refused'
    | 'nothing'
    | 'unsaid'
    | 'wrongId'
    | 'wrongSignature'
    | 'expired'
    | 'garbage'
    | 'elsewhere'
  /** What asking for the public key gives: an HTTP error, text that is no JSON, no answer at all, a point on no curve, or a key whose time is over. */
  key: 'well' | 'errorPage' | 'garbage' | 'never' | 'noPoint' | 'over'
  /** The attestation page waits this long, ms. */
  delayMs: number
  /** Whether the page's origin is registered with its project. */
  isVerified: boolean
  /** Whether the page's origin is known for fraud. */
  isScam: boolean
}

/** A body of `POST /control`; `newKey` throws the key away and signs with another from now on. */
export type VerifyControl = Partial<VerifySwitches> & { newKey?: boolean }

export const witnessing: VerifySwitches = { page: 'well', key: 'well', delayMs: 0, isVerified: true, isScam: false }

const words = {
  page: [
    'well',
    'silent',
    'never',
    'errorPage',
    'refused',
    'nothing',
    'unsaid',
    'wrongId',
    'wrongSignature',
    'expired',
    'garbage',
    'elsewhere',
  ],
  key: ['well', 'errorPage', 'garbage', 'never', 'noPoint', 'over'],
} as const satisfies Record<string, readonly string[]>

/** Reads a control body; the error is a sentence. */
export function readVerifyControl(value: unknown): VerifyControl | { error: string } {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { error: 'verify control expected an object of switches' }
  for (const [name, set] of Object.entries(value)) {
    const expected = wanted(name, set)
    if (expected !== undefined)
      return { error: `verify control: ${name} expected ${expected}, got ${JSON.stringify(set)}` }
  }
  return value
}

/** @returns what a switch should have been; undefined when it fits */
function wanted(name: string, set: unknown): string | undefined {
  if (name === 'page' || name === 'key') {
    const known: readonly unknown[] = words[name]
    return known.includes(set) ? undefined : `one of ${known.join(', ')}`
  }
  if (name === 'delayMs')
    return Number.isInteger(set) && (set as number) >= 0 && (set as number) <= 600_000
      ? undefined
      : 'a whole number from 0 to 600000'
  if (name === 'isVerified' || name === 'isScam' || name === 'newKey')
    return typeof set === 'boolean' ? undefined : 'a boolean'
  return 'to be page, key, delayMs, isVerified, isScam or newKey'
}
