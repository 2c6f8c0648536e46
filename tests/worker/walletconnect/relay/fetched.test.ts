import { describe, expect, test } from 'vitest'
import { readFetched } from '../../../../src/worker/walletconnect/relay/fetched.ts'

const topic = 'ab'.repeat(32)
const one = (publishedAt: number | undefined, message = 'AAAA') => ({ topic, message, publishedAt, tag: 1108 })

describe('an answer to a fetch', () => {
  test('holds its messages, the oldest first, and whether there are more', () => {
    const fetched = readFetched({ messages: [one(3), one(undefined), one(2)], hasMore: true })
    expect(fetched?.messages.map(({ publishedAt }) => publishedAt)).toEqual([null, 2, 3])
    expect(fetched).toMatchObject({ malformed: [], hasMore: true })
  })

  test('keeps the messages beside one that is none, and says what was wrong with that', () => {
    const bad = [null, 7, {}, { topic: 'x', message: '' }, one(1.5), { ...one(1), message: 7 }]
    const fetched = readFetched({ messages: [...bad, one(1)] })
    expect(fetched?.messages).toHaveLength(1)
    expect(fetched?.malformed).toHaveLength(bad.length)
    expect(fetched?.malformed[0]).toBe('fetched message expected topic to be 64 hex digits')
    expect(fetched?.hasMore).toBe(false)
  })

  test.each([true, null, 'id', 7, [], {}, { messages: 'many' }])('is not %j, which answers something else', result => {
    expect(readFetched(result)).toBeUndefined()
  })
})
