import { useEffect, useId, useMemo, useState } from 'react'
import { useTexts } from '../../texts/language.tsx'
import { relayArea } from '../../texts/relay/en.ts'

/** The encoder: a chunk of its own, as most visitors never see a code. */
let encoder: typeof import('./qrShape.ts') | undefined

/** Loads the encoder, so that a code is drawn at once. */
export async function loadEncoder(): Promise<void> {
  encoder ??= await import('./qrShape.ts')
}

/** @returns the encoder; undefined until it is loaded, `gone` when it is not on the server any more */
function useEncoder() {
  const [part, setPart] = useState<typeof encoder | 'gone'>(encoder)
  useEffect(() => {
    if (part) return
    let current = true
    loadEncoder().then(
      () => current && setPart(encoder),
      () => current && setPart('gone'),
    )
    return () => {
      current = false
    }
  }, [part])
  return part
}

interface QrProps {
  /** Content of the code. */
  text: string
  /** Accessible label: `QR code to connect a wallet`. */
  label: string
  /** Logo in the middle: an icon's path on the 20 px grid, or a picture (blob: or data:). Absent: the code is drawn whole. */
  mark?: { path: string } | { src: string } | undefined
}

/**
 * A QR code of round dots with three rounded eyes. Dark on a white plate in both themes: many scanners fail on inverted codes.
 * A text too long to encode becomes a hint to copy it, as does any without the encoder.
 */
export function Qr({ text, label, mark }: QrProps) {
  const clip = useId()
  const withMark = mark !== undefined
  const part = useEncoder()
  const t = useTexts(relayArea)
  const shape = useMemo(() => part && part !== 'gone' && part.qrShape(text, withMark), [part, text, withMark])
  if (!part)
    return (
      <div className="qr-wait">
        <span className="skeleton" aria-hidden="true" />
      </div>
    )
  if (part === 'gone') return <p className="text-hint">{t.codeNotLoaded}</p>
  if (!shape) return <p className="text-hint">{t.tooLong}</p>
  // the logo leaves 1.1 modules of margin on each side
  const side = shape.clear - 2.2
  const at = (shape.size - side) / 2
  const square = { x: at, y: at, width: side, height: side, rx: side / 4 }
  return (
    <div className="qr" data-testid="qr">
      <svg viewBox={`0 0 ${shape.size} ${shape.size}`} role="img" aria-label={label}>
        <path className="qr-dots" d={shape.dots} />
        {shape.eyes.map(([x, y]) => (
          <g key={`${x} ${y}`}>
            <rect className="qr-eye" x={x + 0.5} y={y + 0.5} width="6" height="6" rx="1.9" />
            <rect className="qr-pupil" x={x + 2} y={y + 2} width="3" height="3" rx=".95" />
          </g>
        ))}
        {mark && 'path' in mark && (
          <>
            <rect className="qr-logo" {...square} />
            <path
              className="qr-logo-line"
              strokeWidth="2.2"
              d={mark.path}
              transform={`translate(${at + side * 0.225} ${at + side * 0.225}) scale(${(side * 0.55) / 20})`}
            />
          </>
        )}
        {mark && 'src' in mark && (
          <>
            <clipPath id={clip}>
              <rect {...square} />
            </clipPath>
            <image href={mark.src} x={at} y={at} width={side} height={side} clipPath={`url(#${clip})`} />
          </>
        )}
      </svg>
    </div>
  )
}
