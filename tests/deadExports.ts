/** Finds exports of `src` that no other file names, and those whose name another file exports, too. */

const exported = /^export (?:async )?(?:function\*?|const|let|class|type|interface) ([\w$]+)/gm
const word = /[A-Za-z_$][\w$]*/g

/**
 * @param files path from the repository's root to source text
 * @returns one sentence for each export that is named only in its own file
 */
export function deadExports(files: ReadonlyMap<string, string>): string[] {
  const counts = new Map<string, number>()
  for (const text of files.values())
    for (const name of new Set(text.match(word))) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...files].flatMap(([path, text]) =>
    path.startsWith('src/')
      ? [...text.matchAll(exported)].flatMap(([, name = '']) =>
          counts.get(name) === 1 ? [`${path}: no other file uses ${name}`] : [],
        )
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
