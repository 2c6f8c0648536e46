/**
 * The workers of the package for bundlers, in place of `page/workers.ts`: the build writes `new URL('./name.js',
 * import.meta.url)` for each mark, the form in which bundlers find a worker and its chunks. The host's own build publishes them,
 * so there is no list of hashes to compare them with.
 */
import type { Workers } from '../page/workers.ts'

const bundled: Workers = {
  checkCore: () => Promise.resolve(),
  core: () => new Worker('@@worker@@core', { type: 'module', name: 'mai-core' }),
  redactor: () => Promise.resolve(new Worker('@@worker@@redactor', { type: 'module', name: 'mai-redactor' })),
}

export { bundled as workers }
