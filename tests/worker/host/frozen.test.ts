/** Frozen intrinsics of the worker: no attack changes them, and the lazily loaded libraries work. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('frozen: no intrinsic can be changed, and every lazy library works', () => {
  const probe = join(import.meta.dirname, 'frozenProbe.ts')
  const said = execFileSync(process.execPath, ['--import', 'tsx', probe], { encoding: 'utf8' })
  const answer = JSON.parse(said.trim().split('\n').at(-1) ?? '') as Record<string, string>
  const held = Object.entries(answer).filter(([, word]) => word === 'refused: TypeError')
  expect(held).toHaveLength(21)
  expect(Object.fromEntries(Object.entries(answer).filter(([, word]) => word !== 'refused: TypeError'))).toEqual({
    'a method of an object that every object has': 'mine toString',
    'a method of an old-fashioned class': 'old',
    'the name of an error': 'Named: y',
    'an error as comlink makes it': 'B: c',
    'a stack limit': '5',
    buffer: 'mai',
    'web3.js and spl-token': 'true',
    noble: 'true',
    immer: '{"a":[1,2],"b":{"c":3}}',
    idb: '{"a":1}',
    'what is polluted': '',
  })
})
