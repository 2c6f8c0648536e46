import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeap } from '../../../src/worker/drivers/heap.ts'

test('what is put in comes out in order, also when some is given up on the way', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.array(fc.integer()), fc.integer(), (first, second, limit) => {
      const heap = createHeap<number>((a, b) => a < b)
      for (const one of first) heap.put(one)
      heap.keep(one => one < limit)
      for (const one of second) heap.put(one)
      const out: number[] = []
      for (let one = heap.take(); one !== undefined; one = heap.take()) out.push(one)
      expect(out).toEqual([...first.filter(one => one < limit), ...second].sort((a, b) => a - b))
      expect(heap.size).toBe(0)
    }),
  )
})
