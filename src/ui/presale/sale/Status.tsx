import type { ReactNode } from 'react'
import type { Sale } from '../../../events/sale/sale.ts'
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import { classes } from '../../kit/classes.ts'
import { Icon } from '../../kit/icons/Icon.tsx'
import { pauseIcon, refresh, warn } from '../../kit/icons/icons.ts'
import { checkIcon } from '../../kit/icons/iconsOfStart.ts'
import { useModel, useSurroundings } from '../../react.tsx'
import { Countdown } from './progress/Countdown.tsx'
import { dayOf, momentOf, spanOf, tokens } from './figures.ts'
import { type BuyBlock, isLoadingSale, type KnownSale } from './saleStatus.ts'
import { useTick } from './useSale.ts'

/** State of the sale: an icon and a word for each, one fact, and the time left. */
export function Status({ known, buyBlock }: { known: KnownSale | undefined; buyBlock: BuyBlock | undefined }) {
  if (buyBlock?.why === 'readingOnly') return <Silent sentence={buyBlock.sentence} />
  if (buyBlock?.why === 'distrust' || buyBlock?.why === 'changed') {
    return (
      <Line tone="bad" shape={<Icon path={warn} small />} word="View only">
        {`${buyBlock.verdict} ${buyBlock.sentence}`}
      </Line>
    )
  }
  if (buyBlock && !isLoadingSale(buyBlock) && !known?.sale) {
    return (
      <Line tone="ink" shape={<span className="dot is-hollow" />} word="View only">
        {buyBlock.verdict}
      </Line>
    )
  }
  if (!known?.sale) {
    return (
      <Line
        tone="ink"
        shape={<span className="dot is-hollow" />}
        word="Loading the sale"
        end={<div className="countdown" aria-hidden="true" />}
      >
        {null}
      </Line>
    )
  }
  const { terms, sale } = known
  const { tone, shape, word, fact, until, verb } = looks(terms, sale)
  return (
    <Line
      tone={tone}
      shape={shape}
      word={word}
      end={until !== undefined && verb && <Countdown until={until} verb={verb} />}
    >
      {fact}
    </Line>
  )
}

/** A network that does not answer: the age of the numbers, the next attempt, and one at once. */
function Silent({ sentence }: { sentence: string }) {
  const { now, command } = useSurroundings()
  const readAt = useModel(model => model.sale.reading?.readAt)
  const stale = useModel(model => model.sale.stale)
  useTick(1000)
  const at = now()
  const wait = stale ? Math.ceil((stale.retryAt - at) / 1000) : 0
  return (
    <Line tone="bad" shape={<Icon path={warn} small />} word="View only">
      {sentence} {readAt !== undefined && `Numbers are ${spanOf(at - readAt)} old. `}
      {wait > 0 && `Retrying in ${wait} s. `}
      <button type="button" className="link" onClick={() => command({ type: 'sale.refresh', data: {} })}>
        Try now
      </button>
    </Line>
  )
}

function Line(props: { tone: string; shape: ReactNode; word: string; children: ReactNode; end?: ReactNode }) {
  const { tone, shape, word, children, end } = props
  return (
    <div className="status" data-testid="status">
      <span className={classes('status-word', tone && `is-${tone}`)}>
        {shape}
        {word}
      </span>
      {children && <span>{children}</span>}
      {end}
    </div>
  )
}

type Look = { tone: string; shape: ReactNode; word: string; fact: string; until?: number; verb?: string }

function looks(terms: Terms, sale: Sale): Look {
  const tick = <Icon path={checkIcon} small />
  const hollow = <span className="dot is-hollow" />
  switch (sale.state) {
    case 'soon': {
      const until = terms.start * 1000
      return { tone: 'accent', shape: hollow, word: 'Soon', fact: `Opens ${momentOf(until)}`, until, verb: 'Opens' }
    }
    case 'live': {
      const until = sale.stage?.endsAt ?? terms.end * 1000
      const stage = `Stage ${(sale.stage?.index ?? 0) + 1} of ${terms.stages.length}`
      return {
        tone: '',
        shape: <span className="dot" />,
        word: 'Live',
        fact: `${stage}, ends ${momentOf(until)}`,
        until,
        verb: 'Ends',
      }
    }
    case 'paused':
      return {
        tone: 'warn',
        shape: <Icon path={pauseIcon} small />,
        word: 'Paused',
        fact: 'by the team. Don’t send payments.',
      }
    case 'soldOut':
      return {
        tone: 'ink',
        shape: tick,
        word: 'Sold out',
        fact: `Nothing is left of ${tokens(sale.forSale, terms, 0)} ${terms.token.symbol}.`,
      }
    case 'ended':
      return {
        tone: 'ink',
        shape: hollow,
        word: 'Ended',
        fact: 'The team is counting and will publish the result.',
      }
    case 'succeeded': {
      const first = dayOf(terms.vesting.tgeAt * 1000)
      return { tone: '', shape: tick, word: 'Success', fact: `Soft cap reached. First delivery on ${first}.` }
    }
    case 'failed':
      return {
        tone: 'warn',
        shape: <Icon path={refresh} small />,
        word: 'Refunding',
        fact: 'Soft cap missed. Every payment is returned.',
      }
  }
}
