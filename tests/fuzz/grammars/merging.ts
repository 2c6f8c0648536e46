/** Merged namespaces (§13.1): everything required and everything optional, each once, nothing else. */
type Proposed = Record<string, { chains?: string[]; methods: string[]; events: string[] }>
type Sets = Record<string, Record<'chains' | 'methods' | 'events', Set<string>>>

function setsOf(...namespaces: Proposed[]): Sets {
  const sets = Object.create(null) as Sets
  for (const [key, { chains = [], methods, events }] of namespaces.flatMap(Object.entries) as [
    string,
    Proposed[string],
  ][]) {
    const name = key.split(':')[0] ?? ''
    const set = (sets[name] ??= { chains: new Set(), methods: new Set(), events: new Set() })
    for (const chain of key.includes(':') ? [key, ...chains] : chains) set.chains.add(chain)
    for (const method of methods) set.methods.add(method)
    for (const event of events) set.events.add(event)
  }
  return sets
}

export function mergeOf(required: Proposed, optional: Proposed) {
  const wanted = setsOf(required, optional)
  const first = setsOf(required)
  return {
    /** @returns the difference of a merged set from the expected one */
    differs(
      merged: Readonly<Record<string, { readonly [part in 'chains' | 'methods' | 'events']?: readonly string[] }>>,
    ): string | undefined {
      if (Object.keys(merged).sort().join() !== Object.keys(wanted).sort().join()) return 'have other keys'
      for (const [name, parts] of Object.entries(wanted)) {
        for (const part of ['chains', 'methods', 'events'] as const) {
          const list = merged[name]?.[part] ?? []
          if (new Set(list).size !== list.length) return `repeat ${part}`
          if ([...list].sort().join() !== [...parts[part]].sort().join()) return `hold other ${part}`
          const lead = first[name]?.[part] ?? new Set()
          if (list.slice(0, lead.size).some(one => !lead.has(one)))
            return `put what is optional before required ${part}`
        }
      }
      return undefined
    },
  }
}
