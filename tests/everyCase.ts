/**
 * Whether every case runs, as with `npm test -- --all`. `npm test` alone takes some of each kind, for its time: journeys tagged
 * `@long` and the long files are left out, and random tests are fewer.
 */
export const everyCase = process.env.CASES === 'all'

/** Test files that `npm test` alone leaves out: each takes five seconds or more, and repeats what others prove at fewer points. */
export const longFiles = [
  'tests/contracts/providerFamilies.test.ts',
  'tests/kills/fileDisk.test.ts',
  'tests/scripts/presale/guide/guide.test.ts',
  'tests/scripts/presale/proofs/planted.test.ts',
  'tests/scripts/presale/proofs/steps.test.ts',
  'tests/scripts/presaleFilled.test.ts',
  'tests/simulation/shrink.test.ts',
  'tests/worker/sessionWeight.test.ts',
  'tests/worker/tabs/attestation.test.ts',
  'tests/worker/tabs/relays.test.ts',
]
