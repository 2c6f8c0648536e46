import { useEffect, useRef } from 'react'
import { Hatch } from '../kit/figures/Hatch.tsx'
import { useSurroundings } from '../react.tsx'
import '../styles/sale.css'
import { Feed } from './sale/about/Feed.tsx'
import { Project } from './sale/about/Project.tsx'
import { Buy } from './buy/Buy.tsx'
import { Dock } from './buy/Dock.tsx'
import { Foot } from './Foot.tsx'
import { Freshness, Skew } from './sale/Freshness.tsx'
import { StorageNotice } from './StorageNotice.tsx'
import { Purchases } from './buy/purchases/Purchases.tsx'
import { Allocation, Payouts, Referral } from './buy/purchases/Holding.tsx'
import { Questions } from './sale/about/Questions.tsx'
import { Raised } from './sale/progress/Raised.tsx'
import { Roadmap } from './sale/about/Roadmap.tsx'
import { isLoadingSale } from './sale/saleStatus.ts'
import { SaleChanged } from './sale/SaleChanged.tsx'
import { Status } from './sale/Status.tsx'
import { Tokenomics } from './sale/about/Tokenomics.tsx'
import { Trust } from './sale/about/Trust.tsx'
import { useBuying } from './buy/useBuying.ts'
import { useFocus } from './buy/useFocus.ts'
import { useFreshNotices } from './buy/useFreshNotices.ts'
import { useSale } from './sale/useSale.ts'
import type { SaleTexts } from '../texts/sale/en.ts'
import { useSaleWords } from './saleWords.ts'

/** Everything below the top bar: the sale, the buy card, the sections, the foot and the dock. */
export function SaleBody() {
  const { config } = useSurroundings()
  const { known, buyBlock } = useSale()
  const { sale } = useSaleWords()
  const buying = useBuying(known, buyBlock)
  const side = useRef<HTMLDivElement>(null)
  useFocus(side, buying)
  useFreshNotices(side)
  useEffect(() => {
    if (side.current) nameDocument(side.current.ownerDocument, sale)
  }, [sale])
  const symbol = known?.terms.token.symbol ?? config.appName
  const { account, rows } = buying
  return (
    <>
      <Hatch />
      <main id="sale">
        <div className="page">
          <div className="hero">
            <div className="hero-story">
              <Status known={known} buyBlock={buyBlock} />
              <Freshness buyBlock={buyBlock} />
              <SaleChanged />
              <StorageNotice />
              <Raised
                known={known}
                symbol={symbol}
                isUnproven={buyBlock?.why === 'distrust'}
                reading={isLoadingSale(buyBlock)}
              />
              <Skew />
            </div>
            <div className="hero-side" ref={side}>
              <Buy buying={buying} />
            </div>
          </div>
          {known?.content?.about && <Project about={known.content.about} />}
          {known && account !== undefined && <Purchases known={known} account={account} rows={rows} />}
          {known && account !== undefined && <Allocation known={known} account={account} rows={rows} />}
          {known && account !== undefined && <Payouts known={known} account={account} />}
          {known && account !== undefined && <Referral known={known} account={account} />}
          <Trust known={known} />
          {known && <Feed known={known} />}
          {known?.content?.tokenomics && <Tokenomics terms={known.terms} tokenomics={known.content.tokenomics} />}
          {known?.content?.roadmap && <Roadmap roadmap={known.content.roadmap} />}
          {known?.content && known.content.questions.length > 0 && <Questions questions={known.content.questions} />}
        </div>
      </main>
      <Foot known={known} />
      <Dock buying={buying} card={side} />
    </>
  )
}

/** Puts the parts of the document that are there before any script into the language. */
function nameDocument(page: Document, { skip, pageTitle }: SaleTexts): void {
  const link = page.querySelector('.skip-link')
  if (!link) return
  link.textContent = skip
  page.title = pageTitle
}
