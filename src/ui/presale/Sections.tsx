import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import { isOtherSale } from '../../events/subjects/sale/otherSale.ts'
import { useModel, useSurroundings } from '../react.tsx'
import { useTexts } from '../texts/language.tsx'
import { start } from '../texts/start/en.ts'

/** Links to the page's sections that exist: in the top bar, on a narrow page in the foot. */
export function Sections() {
  const { config } = useSurroundings()
  const t = useTexts(start)
  const isRead = useModel(({ sale }) => sale.terms.phase === 'read' && !isOtherSale(sale, config.sale))
  const content = useModel(({ sale }) => (isRead ? sale.content : undefined))
  const isConnected = useModel(model => activeConnection(model) !== undefined)
  return (
    <>
      <a href="#sale">{t.sale}</a>
      {content?.about && <a href="#about">{t.about}</a>}
      {isRead && isConnected && <a href="#purchases">{t.purchases}</a>}
      <a href="#trust">{t.trust}</a>
      {content?.tokenomics && <a href="#tokenomics">{t.tokenomics}</a>}
      {content?.roadmap && <a href="#roadmap">{t.roadmap}</a>}
      {content?.questions[0] && <a href="#faq">{t.questions}</a>}
    </>
  )
}
