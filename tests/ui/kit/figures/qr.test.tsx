// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { encode } from 'uqr'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { bridge } from '../../../../src/ui/kit/icons/iconsOfModal.ts'
import { loadEncoder, Qr } from '../../../../src/ui/kit/figures/Qr.tsx'
import { qrShape } from '../../../../src/ui/kit/figures/qrShape.ts'

beforeAll(loadEncoder)
afterEach(cleanup)

const uri = `wc:${'7f'.repeat(32)}@2?expiryTimestamp=1800000300&relay-protocol=irn&symKey=${'a3'.repeat(32)}`

/** The dark modules of a drawing: its dots, and the modules its eyes stand for. */
function darkModules(svg: Element): Set<string> {
  const dark = new Set<string>()
  for (const [, x, y] of (svg.querySelector('.qr-dots')?.getAttribute('d') ?? '').matchAll(/M(\d+)\.5 (\d+)\.5h0/g)) {
    dark.add(`${x},${y}`)
  }
  for (const eye of svg.querySelectorAll('.qr-eye')) {
    const left = Number(eye.getAttribute('x')) - 0.5
    const top = Number(eye.getAttribute('y')) - 0.5
    for (let y = 0; y < 7; y++) {
      for (let x = 0; x < 7; x++) {
        const rim = x === 0 || y === 0 || x === 6 || y === 6
        const pupil = x > 1 && x < 5 && y > 1 && y < 5
        if (rim || pupil) dark.add(`${left + x},${top + y}`)
      }
    }
  }
  return dark
}

describe('a QR code', () => {
  test('without a logo shows exactly the dark modules of the encoding', () => {
    render(<Qr text={uri} label="QR code" />)
    const { data, size } = encode(uri, { ecc: 'Q', border: 0 })
    const dark = darkModules(screen.getByRole('img'))
    const expected = data.flatMap((line, y) => line.flatMap((on, x) => (on ? [`${x},${y}`] : [])))
    expect(screen.getByRole('img').getAttribute('viewBox')).toBe(`0 0 ${size} ${size}`)
    expect([...dark].sort()).toEqual(expected.sort())
  })

  test('with a logo differs only inside the cleared middle, a quarter of the side', () => {
    render(<Qr text={uri} label="QR code" mark={{ path: bridge }} />)
    const { data, size } = encode(uri, { ecc: 'Q', border: 0 })
    const clear = qrShape(uri, true)?.clear ?? 0
    expect(clear / size).toBeGreaterThan(0.2)
    expect(clear / size).toBeLessThan(0.3)
    const from = (size - clear) / 2
    const middle = (at: number) => at >= from && at < from + clear
    const dark = darkModules(screen.getByRole('img'))
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        const expected = middle(x) && middle(y) ? false : data[y]?.[x]
        if (dark.has(`${x},${y}`) !== expected) throw new Error(`module ${x},${y} expected ${expected}`)
      }
    }
  })

  test('has no style attribute and no style element', () => {
    const { container } = render(<Qr text={uri} label="QR code" mark={{ path: bridge }} />)
    expect(container.querySelector('[style], style')).toBeNull()
  })

  test('that is too long to encode is a sentence', () => {
    render(<Qr text={'x'.repeat(5000)} label="QR code" />)
    expect(screen.queryByRole('img')).toBeNull()
    expect(screen.getByText(/too long/)).toBeDefined()
  })
})

test('a QR code whose encoder is not loaded yet waits for it', async () => {
  vi.resetModules()
  const fresh = await import('../../../../src/ui/kit/figures/Qr.tsx')
  render(<fresh.Qr text={uri} label="QR code" />)
  expect(screen.queryByRole('img')).toBeNull()
  expect(await screen.findByRole('img')).not.toBeNull()
})
