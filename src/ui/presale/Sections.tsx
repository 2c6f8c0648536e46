import { activeConnection } from '../../events/subjects/connection.ts'
import { isOtherSale } from '../../events/subjects/sale.ts'
import { useModel, useSurroundings } from '../react.tsx'

/** Links to the page's sections that exist: in the top bar, on a narrow page in the foot. */
export function Sections() {
  const { config } = useSurroundings()
  const isRead = useModel(({ sale }) => sale.terms.phase === 'read' && !isOtherSale(sale, config.sale))
  const hasAbout = useModel(({ sale }) => isRead && sale.content?.about !== undefined)
  const hasTokenomics = useModel(({ sale }) => sale.content?.tokenomics !== undefined)
  const hasQuestions = useModel(({ sale }) => (sale.content?.questions.length ?? 0) > 0)
  const isConnected = useModel(model => activeConnection(model) !== undefined)
  return (
    <>
      <a href="#sale">Sale</a>
      {hasAbout && <a href="#about">About</a>}
      {isRead && isConnected && <a href="#purchases">Purchases</a>}
      <a href="#trust">Who holds the money</a>
      {hasTokenomics && <a href="#tokenomics">Tokenomics</a>}
      {hasQuestions && <a href="#faq">Questions</a>}
    </>
  )
}
