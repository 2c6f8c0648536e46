/** The committed recording that the replayer offers to try. Every test run re-executes it. */
export const sampleName = 'connect-installed-buy-sol.jsonl'
