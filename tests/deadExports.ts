/** Finds exported functions, constants and types of `src` that no other file names. */

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
