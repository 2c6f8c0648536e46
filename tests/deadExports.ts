/** Finds exports of `src` that no other file names, and those whose name another file exports, too. */

const exported = /^export (?:async )?(?:function\*?|const|let|class|type|interface) ([\w$]+)/gm
const word = /[A-Za-z_$][\w$]*/g

const comment = /\/\*[\s\S]*?\*\/|\/\/.*$/gm

/**
 * Exports that tests may use alone: types of stories, parts of a second core, the package's hooks, and the wallet's side of the
 * protocol, which published vectors judge.
 */
const forTests: ReadonlySet<string> = new Set([
  'AppFact',
  'LogState',
  'PagePort',
  'buildNamespaces',
  'calcExpiry',
  'ownFacts',
  'ownInputs',
  'ownScratch',
  'publicKeyOf',
  'requirePairingUri',
  'useAccount',
  'useAccountModal',
  'useChainModal',
  'useConnectModal',
  'useDisconnect',
])

/**
 * @param files path from the repository's root to source text
 * @returns one sentence for each export that is named only in its own file, and for each that only its declaration and tests name
 */
export function deadExports(files: ReadonlyMap<string, string>): string[] {
  const counts = new Map<string, number>()
  const inProduct = new Map<string, number>()
  for (const [path, text] of files) {
    for (const name of new Set(text.match(word))) counts.set(name, (counts.get(name) ?? 0) + 1)
    if (path.startsWith('tests/')) continue
    for (const name of text.replace(comment, '').match(word) ?? []) inProduct.set(name, (inProduct.get(name) ?? 0) + 1)
  }
  return [...files].flatMap(([path, text]) =>
    path.startsWith('src/')
      ? [...text.matchAll(exported)].flatMap(([, name = '']) => {
          if (counts.get(name) === 1) return [`${path}: no other file uses ${name}`]
          const isForTests = inProduct.get(name) === 1 && !forTests.has(name)
          return isForTests ? [`${path}: only tests use ${name}`] : []
        })
      : [],
  )
}

/**
 * @param files path from the repository's root to source text
 * @returns one sentence for each name that several files of `src` export, because a name means one thing
 */
export function sharedExports(files: ReadonlyMap<string, string>): string[] {
  const homes = new Map<string, string[]>()
  for (const [path, text] of files)
    if (path.startsWith('src/'))
      for (const name of new Set(Array.from(text.matchAll(exported), ([, found = '']) => found)))
        homes.set(name, [...(homes.get(name) ?? []), path])
  return [...homes].flatMap(([name, paths]) =>
    paths.length > 1 ? [`${name} is exported by ${paths.join(' and ')}`] : [],
  )
}
