import type { ReactNode } from 'react'
import { mayBeSoldOut, type Sale } from '../../../events/sale/sale.ts'
import { deliveriesOf } from '../../../events/sale/vesting.ts'
import { isLeftOut } from '../../../runtime/failure.ts'
import { classes } from '../../kit/classes.ts'
import { Icon } from '../../kit/icons/Icon.tsx'
import { pauseIcon, refresh, warn } from '../../kit/icons/icons.ts'
import { checkIcon } from '../../kit/icons/iconsOfStart.ts'
import { useCommand, useModel, useSurroundings } from '../../react.tsx'
import { Countdown } from './progress/Countdown.tsx'
import { refundsDue, type SaleStatus, statusOf } from './status.ts'
import { type BuyBlock, isLoadingSale, type KnownSale } from './saleStatus.ts'
import { useTick } from './useSale.ts'
import { type SaleWords, useSaleWords } from '../saleWords.ts'

/** State of the sale: an icon and a word for each, one fact, and the time left. */
export function Status({ known, buyBlock }: { known: KnownSale | undefined; buyBlock: BuyBlock | undefined }) {
  const t = useSaleWords()
  const { viewOnly, loading } = t.sale
  if (buyBlock?.why === 'readingOnly') return <Silent sentence={buyBlock.sentence} />
  if (buyBlock?.why === 'distrust' || buyBlock?.why === 'changed') {
    return (
      <Line tone="bad" shape={<Icon path={warn} small />} word={viewOnly}>
        {`${buyBlock.verdict} ${buyBlock.sentence}`}
      </Line>
    )
  }
  if (buyBlock && !isLoadingSale(buyBlock) && !known?.sale) {
    return (
      <Line tone="ink" shape={<span className="dot is-hollow" />} word={viewOnly}>
        {buyBlock.verdict}
      </Line>
    )
  }
  if (!known?.sale) {
    return (
      <Line
        tone="ink"
        shape={<span className="dot is-hollow" />}
        word={loading}
        end={<div className="countdown" aria-hidden="true" />}
      >
        {null}
      </Line>
    )
  }
  const { tone, shape, word, fact, until, comes } = looks(t, known, known.sale)
  return (
    <Line
      status={statusOf(known, known.sale)}
      tone={tone}
      shape={shape}
      word={word}
      end={until !== undefined && comes && <Countdown until={until} comes={comes} />}
    >
      {fact}
    </Line>
  )
}

/** A network that does not answer: the age of the numbers, the next attempt, and one at once. */
function Silent({ sentence }: { sentence: string }) {
  const { now } = useSurroundings()
  const { sale: t, figures } = useSaleWords()
  const { viewOnly } = t
  const readAt = useModel(model => model.sale.reading?.readAt)
  const stale = useModel(model => model.sale.stale)
  useTick(1000)
  const at = now()
  const wait = stale && !isLeftOut(stale.failure) ? Math.ceil((stale.retryAt - at) / 1000) : 0
  return (
    <Line tone="bad" shape={<Icon path={warn} small />} word={viewOnly}>
      {sentence} {readAt !== undefined && `${t.numbersOld(figures.spanOf(at - readAt))} `}
      {wait > 0 && `${t.retryingIn(wait)} `}
      <TryNow />
    </Line>
  )
}

/** Reads the sale at once. */
export function TryNow() {
  const command = useCommand()
  const { sale } = useSaleWords()
  return (
    <button type="button" className="link" onClick={() => command({ type: 'sale.refresh', data: {} })}>
      {sale.tryNow}
    </button>
  )
}

function Line(props: {
  status?: SaleStatus
  tone: string
  shape: ReactNode
  word: string
  children: ReactNode
  end?: ReactNode
}) {
  const { status, tone, shape, word, children, end } = props
  return (
    <div className="status" data-testid="status" data-status={status}>
      <span className={classes('status-word', tone && `is-${tone}`)}>
        {shape}
        {word}
      </span>
      {children && <span>{children}</span>}
      {end}
    </div>
  )
}

type Look = { tone: string; shape: ReactNode; word: string; fact: string; until?: number; comes?: 'start' | 'end' }

function looks({ sale: t, figures }: SaleWords, known: KnownSale, sale: Sale): Look {
  const { terms } = known
  const tick = <Icon path={checkIcon} small />
  const hollow = <span className="dot is-hollow" />
  const parts = deliveriesOf(terms)
  const [first] = parts
  switch (statusOf(known, sale)) {
    case 'soon': {
      const until = terms.start * 1000
      return {
        tone: 'accent',
        shape: hollow,
        word: t.soon,
        fact: t.opens(figures.momentOf(until)),
        until,
        comes: 'start',
      }
    }
    case 'live': {
      const until = sale.stage?.endsAt ?? terms.end * 1000
      if (mayBeSoldOut(terms, sale))
        return { tone: 'warn', shape: hollow, word: t.mayBeSoldOut, fact: t.mayBeSoldOutFact, until, comes: 'end' }
      const stage = (sale.stage?.index ?? 0) + 1
      return {
        tone: '',
        shape: <span className="dot" />,
        word: t.live,
        fact: t.stageEnds(stage, terms.stages.length, figures.momentOf(until)),
        until,
        comes: 'end',
      }
    }
    case 'paused':
      return { tone: 'warn', shape: <Icon path={pauseIcon} small />, word: t.paused, fact: t.pausedFact }
    case 'soldOut': {
      const fact = t.nothingLeft(`${figures.tokens(sale.forSale, terms, 0)} ${terms.token.symbol}`)
      return { tone: 'ink', shape: tick, word: t.soldOut, fact }
    }
    case 'ended':
      return { tone: 'ink', shape: hollow, word: t.ended, fact: t.counting }
    case 'success':
      return { tone: '', shape: tick, word: t.success, fact: t.successFact(figures.dayOf(first)) }
    case 'distributing': {
      const next = parts.find(at => at > sale.time) ?? first
      return { tone: '', shape: hollow, word: t.payoutsAnnounced, fact: t.nextPart(figures.dayOf(next)) }
    }
    case 'done':
      // A notice does not tell what its plan pays: it may be refunds alone
      return {
        tone: '',
        shape: hollow,
        word: t.payoutsAnnounced,
        fact: t.doneFact(figures.dayOf(parts.at(-1) ?? first)),
      }
    case 'failed':
    case 'refunding': {
      const word = known.isPlanned ? t.refunding : t.failed
      // The day alone proves no payment
      const due = refundsDue(terms)
      const fact = sale.time > due ? t.refundsDueFact(figures.dayOf(due)) : t.refundingFact
      return { tone: 'warn', shape: <Icon path={refresh} small />, word, fact }
    }
  }
}
