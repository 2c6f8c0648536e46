import { memo } from 'react'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'
import { Swatch } from '../../../kit/identity/Swatch.tsx'
import type { SaleContent } from '../../../../events/sale/content.ts'
import { share } from '../figures.ts'
import { unsoldWords } from '../unsoldWords.ts'
import { Section } from '../../Section.tsx'
import { useSaleWords } from '../../saleWords.ts'
import { start } from '../../../texts/start/en.ts'
import { useTexts } from '../../../texts/language.tsx'

const looks = ['tokenomics-1', 'tokenomics-2', 'tokenomics-3', 'tokenomics-4', 'tokenomics-5', 'tokenomics-6']

/** The published distribution of tokens: one decorative bar, one table. */
export const Tokenomics = memo(function Tokenomics(props: {
  terms: Terms
  tokenomics: NonNullable<SaleContent['tokenomics']>
}) {
  const { terms, tokenomics } = props
  const { sale, figures } = useSaleWords()
  const { tokenomics: title } = useTexts(start)
  const grouped = (wholeTokens: bigint) => figures.amount(wholeTokens.toString(), 0)
  const parts = tokenomics.rows.map(({ name, tokens: count }) => ({ name, units: BigInt(count) }))
  const total = parts.reduce((sum, part) => sum + part.units, 0n)
  const placed = parts.map((part, index) => {
    const before = parts.slice(0, index).reduce((sum, other) => sum + other.units, 0n)
    return {
      ...part,
      look: looks[index] ?? 'tokenomics-6',
      from: share(before, total),
      width: share(part.units, total),
    }
  })
  return (
    <Section
      id="tokenomics"
      title={title}
      about={`${sale.inTotal(`${grouped(total)} ${terms.token.symbol}`)} ${tokenomics.note ?? unsoldWords(sale, terms)}`}
    >
      <svg className="tokenomics-supply" aria-hidden="true">
        {placed.map(part => (
          <rect key={part.name} className={part.look} x={`${part.from}%`} width={`${part.width}%`} height="100%" />
        ))}
        {placed.slice(1).map(part => (
          <line key={part.name} className="tokenomics-cut" x1={`${part.from}%`} x2={`${part.from}%`} y1="0" y2="100%" />
        ))}
      </svg>
      <table className="tokenomics">
        <tbody>
          {placed.map(part => (
            <tr key={part.name}>
              <td>
                <span className="layout-inline">
                  <Swatch className={part.look} />
                  {part.name}
                </span>
              </td>
              <td className="tokenomics-number">{grouped(part.units)}</td>
              <td className="tokenomics-number text-muted">{figures.share(part.units, total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
})
