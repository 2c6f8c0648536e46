/** A story that a recording must contain, and the search for those that none contains. */

/** Facts that the named recording holds in this order. A fact's type may be followed by its code, cause, way, reason or screen. */
export type Story = { story: string; recording: string; facts: string[] }

export const told = (story: string, recording: string, ...facts: string[]): Story => ({ story, recording, facts })

/** @returns one sentence for each story that no recording contains; `texts` holds recordings by name */
export function missingStories(stories: readonly Story[], texts: ReadonlyMap<string, string>): string[] {
  return stories.flatMap(({ story, recording, facts }) => {
    const text = texts.get(recording)
    if (text === undefined) return [`${story}: expected the recording ${recording}, there is none`]
    let at = 0
    for (const line of text.split('\n')) if (at < facts.length && tells(line, facts[at] ?? '')) at += 1
    return at === facts.length
      ? []
      : [`${story}: ${recording} expected the fact ${facts[at]}, it is not there in order`]
  })
}

/** @param wanted type of a core's or a page's fact, then optionally a blank and its code, cause, way, reason or screen */
function tells(line: string, wanted: string): boolean {
  const [type, word] = wanted.split(' ')
  if (!/^\{"k":"[fp]"/.test(line) || !line.includes(`"type":"${type}"`)) return false
  return word === undefined || new RegExp(`"(?:code|by|transport|why|name)":"${word}"`).test(line)
}
