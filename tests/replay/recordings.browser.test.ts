/** The recordings of `recordings.test.ts`, in a visitor's engine. */
import { expect, test } from 'vitest'
import { corpus } from './corpus.ts'
import { strictly, wishedFor } from './strictly.ts'

const recordings = import.meta.glob<string>('./recordings/*.jsonl', { query: '?raw', import: 'default' })
const wishes = import.meta.glob<string>('./recordings/*.wish.json', { query: '?raw', import: 'default' })

test('recordings: the corpus is present', () => {
  const missing = corpus.filter(({ recording }) => !recordings[`./recordings/${recording}.jsonl`])
  expect(missing).toEqual([])
})

for (const [name, load] of Object.entries(recordings)) {
  test(`${name} comes out byte for byte as it was recorded`, async () => {
    expect(await strictly(await load())).toMatchObject({ ok: true })
  })
}

for (const [name, load] of Object.entries(wishes)) {
  test(`${name} holds`, async () => {
    const text = await recordings[name.replace(/\.wish\.json$/, '.jsonl')]?.()
    expect(await wishedFor(text ?? '', await load())).toMatchObject({ ok: true, missed: [] })
  })
}
