/** Counts objects in memory, so that a test can require a single copy. */
import { getHeapSnapshot, setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'

type Snapshot = {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] }; node_count: number }
  nodes: number[]
  strings: string[]
}

async function takeSnapshot(): Promise<Snapshot> {
  const chunks: Buffer[] = []
  for await (const chunk of getHeapSnapshot()) chunks.push(Buffer.from(chunk as Uint8Array))
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Snapshot
}

/** @returns the number of objects and strings on this thread's heap after garbage collection */
export async function heldObjects(): Promise<number> {
  return (await takeSnapshot()).snapshot.node_count
}

/** @returns the number of strings of at least this length on this thread's heap with this beginning */
export async function heldTexts(beginning: RegExp, length: number): Promise<number> {
  const { snapshot, nodes, strings } = await takeSnapshot()
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, name, size] = ['type', 'name', 'self_size'].map(field => fields.indexOf(field)) as [
    number,
    number,
    number,
  ]
  let count = 0
  for (let at = 0; at < nodes.length; at += fields.length) {
    const isText = types[0][nodes[at + type] ?? 0] === 'string' && (nodes[at + size] ?? 0) >= length
    if (isText && beginning.test(strings[nodes[at + name] ?? 0] ?? '')) count += 1
  }
  return count
}

/** @returns whether two objects share one hidden class; else each has its own, larger than the object */
export function haveOneShape(one: object, other: object): boolean {
  setFlagsFromString('--allow-natives-syntax')
  const haveSame = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
    one: object,
    other: object,
  ) => boolean
  return haveSame(one, other)
}
