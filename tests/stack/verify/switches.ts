/** Current faults of the verify service. */
export type VerifySwitches = {
  /**
   * The attestation page: `silent` loads and posts nothing, `never` does not load, `errorPage` is an HTTP error, `refused` may
   * not be framed, as for an unregistered page, `nothing` posts that there is no attestation, `unsaid` posts the same but
   * stores one for wallets that look it up, `wrongId` attests another message, `wrongSignature` is signed with an unknown key,
   * `expired` has expired, `garbage` posts only meaningless data, `elsewhere` lets a page of another origin post it.
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
  /** The public key: an HTTP error, text that is not JSON, no answer, a point off the curve, or an expired key. */
  key: 'well' | 'errorPage' | 'garbage' | 'never' | 'noPoint' | 'over'
  /** Delay of the attestation page, ms. */
  delayMs: number
  /** Whether the page's origin is registered with its project. */
  isVerified: boolean
  /** Whether the page's origin is known for fraud. */
  isScam: boolean
}

/** A body of `POST /control`; `newKey` rotates the signing key. */
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

/** @returns the expected value of a switch; undefined when it fits */
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
