import { isOtherSale } from '../../../events/subjects/sale/otherSale.ts'
import { own } from '../../../runtime/schema/own.ts'
import { changesSincePin, type SaleChange } from '../../../events/sale/saleChanges.ts'
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { Address } from '../../kit/identity/Address.tsx'
import { useModel, useSurroundings } from '../../react.tsx'
import { changeWords } from './changeWords.ts'
import { useSaleWords } from '../saleWords.ts'

/** Changed conditions of the sale, old beside new, until the person accepts the new ones; what was frozen at the start cannot be. */
export function SaleChanged() {
  const sale = useModel(model => model.sale)
  const { command, config } = useSurroundings()
  const { sale: t } = useSaleWords()
  const changes = changesSincePin(sale)
  const isFrozen = sale.distrust?.facts?.rule === 'FROZEN'
  if (changes.length === 0 || sale.terms.phase !== 'read' || isOtherSale(sale, config.sale)) return null
  if (sale.distrust && !isFrozen) return null
  const { termsHash, terms } = sale.terms
  const pinned = own(sale.pins, terms.id)?.terms ?? terms
  const isAnnounced = sale.notices?.termsHash === termsHash
  // Acceptance counts once a notice is read in this life, which strangers can delay
  const isAccepted = sale.accepted === termsHash
  const mayAccept = !isFrozen && changes.every(({ path }) => path !== 'authority')
  return (
    <section className="sale-changed" aria-labelledby="sale-changed" data-testid="sale-changed">
      <h2 id="sale-changed">{t.changed}</h2>
      <p>{t.changedNote}</p>
      <dl>
        {changes.map(change => (
          <Change key={change.path} change={change} known={pinned} now={terms} />
        ))}
      </dl>
      {mayAccept && (
        <Button
          disabled={!isAnnounced || isAccepted}
          onClick={() => command({ type: 'sale.confirmChange', data: { termsHash } })}
          data-testid="confirm-change"
        >
          {isAnnounced ? t.acceptChange : t.notAnnounced}
        </Button>
      )}
      {isAnnounced && isAccepted && (
        <p className="text-hint" role="status" data-testid="change-accepted">
          {t.changeAccepted}
        </p>
      )}
    </section>
  )
}

function Change(props: { change: SaleChange; known: Terms; now: Terms }) {
  const words = useSaleWords()
  const { name, before, after } = changeWords(words, props.change, props.known, props.now)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <del>
          <span className="text-hidden">{words.sale.before} </span>
          <Value text={before} />
        </del>
        <ins>
          <span className="text-hidden">{words.sale.after} </span>
          <Value text={after} />
        </ins>
      </dd>
    </div>
  )
}

function Value({ text }: { text: string }) {
  return isSolanaAddress(text) ? <Address value={text} /> : text
}
