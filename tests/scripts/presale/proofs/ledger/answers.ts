/** A node's answers in a file, so that a computation can be measured without a chain in its process. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { setImmediate as nextTask } from 'node:timers/promises'

/** Place and length of each answer, bytes, by method and params. */
export type Places = Record<string, [at: number, length: number]>

type Asked = { id: number; method: string; params: unknown[] }

/** Answers of one task. */
const taskEvery = 16

const head = '{"jsonrpc":"2.0","result":'

const nameOf = ({ method, params }: Asked) => JSON.stringify([method, params])

/** @returns a `fetch` that asks the node for single calls and keeps each result; `end` closes the file */
export function keepAnswers(file: string, node: typeof fetch): { call: typeof fetch; end(): Places } {
  const opened = openSync(file, 'w')
  const places: Places = {}
  let size = 0
  return {
    async call(url, init) {
      const asked = JSON.parse(String(init?.body)) as Asked
      const text = await (await node(url, init)).text()
      const tail = `,"id":${asked.id}}`
      if (!text.startsWith(head) || !text.endsWith(tail))
        throw new Error(`${asked.method} expected a result to keep, got ${text.slice(0, 200)}`)
      const bytes = Buffer.from(text.slice(head.length, -tail.length))
      writeSync(opened, bytes)
      places[nameOf(asked)] = [size, bytes.length]
      size += bytes.length
      return new Response(text)
    },
    end() {
      closeSync(opened)
      return places
    },
  }
}

/** @returns the kept result of a call, as text */
export function openAnswers(file: string, places: Places): (name: string) => string {
  const opened = openSync(file, 'r')
  const known = new Map(Object.entries(places))
  return name => {
    const [at, length] = known.get(name) ?? []
    if (at === undefined || length === undefined) throw new Error(`no answer was kept of ${name.slice(0, 200)}`)
    const bytes = Buffer.allocUnsafe(length)
    readSync(opened, bytes, 0, length, at)
    return bytes.toString('utf8')
  }
}

/**
 * A `fetch` of kept answers. It makes no `Response`: streams would cost more than the computation. Some answers come in a later task, as
 * all of a network's do: otherwise nothing that waits for one, such as a collected signal of a deadline, is ever freed.
 */
export function fetchOf(answer: (name: string) => string): typeof fetch {
  let count = 0
  return async (_url, init) => {
    count += 1
    if (count % taskEvery === 0) await nextTask()
    const asked = JSON.parse(String(init?.body)) as Asked
    const text = `${head}${answer(nameOf(asked))},"id":${asked.id}}`
    return { status: 200, headers: new Headers(), text: async () => text } as Response
  }
}
