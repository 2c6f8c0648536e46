import { expect, test } from 'vitest'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { createCore } from '../../../src/worker/core/core.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { bootData, noon } from '../world.ts'

test('pages: one named like a member of every object changes no built-in object', () => {
  const core = createCore(deciders, emptyCoreModel())
  const input = { k: 'i', v: 1, at: noon } as const
  core.step({ ...input, n: 1, type: 'core.boot', data: bootData(1) })
  const { facts } = core.step({ ...input, n: 2, type: 'page.visible', data: { visible: true }, tab: 'constructor' })
  expect(Object).not.toHaveProperty('visible')
  expect(facts.map(({ type }) => type)).not.toContain('core.faulted')
})
