/**
 * Whether every case runs, as with `npm test -- --all`. `npm test` alone takes some of each kind, for its time: journeys tagged
 * `@long` are left out, and random tests are fewer.
 */
export const everyCase = process.env.CASES === 'all'
