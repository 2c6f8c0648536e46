import { afterEach, describe, expect, test, vi } from 'vitest'
import { device } from '../../../src/main/drivers/device.ts'

afterEach(() => vi.unstubAllGlobals())

describe('texts of this device', () => {
  test('are recalled until they are removed; an empty one is a text', () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, words: string) => void kept.set(name, words),
      removeItem: (name: string) => void kept.delete(name),
    })
    device.remember('a', 'one')
    device.remember('b', '')
    expect([device.recall('a'), device.recall('b')]).toEqual(['one', ''])
    device.remember('a', undefined)
    expect(device.recall('a')).toBeUndefined()
    expect([...kept.keys()]).toEqual(['b'])
  })

  test('are none where the browser stores nothing', () => {
    const refuse = () => {
      throw new DOMException('no storage', 'SecurityError')
    }
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
    device.remember('a', 'one')
    device.remember('a', undefined)
    expect(device.recall('a')).toBeUndefined()
  })
})
