import { expect, test, vi } from 'vitest'
import { timeZone } from '../../../src/main/drivers/timeZone.ts'

const formatting = (zone: string | undefined) => {
  const DateTimeFormat = vi.fn(() => ({ resolvedOptions: () => ({ timeZone: zone }) }))
  return { DateTimeFormat } as unknown as Pick<typeof Intl, 'DateTimeFormat'>
}

test('time zone: an engine with Temporal formats no date', () => {
  const Intl = formatting('Europe/Rome')
  expect(timeZone({ Temporal: { Now: { timeZoneId: () => 'Asia/Tokyo' } }, Intl })).toBe('Asia/Tokyo')
  expect(Intl.DateTimeFormat).not.toHaveBeenCalled()
})

test('time zone: without Temporal it is that of a date format, else UTC', () => {
  expect(timeZone({ Intl: formatting('Europe/Rome') })).toBe('Europe/Rome')
  expect(timeZone({ Intl: formatting(undefined) })).toBe('UTC')
})
