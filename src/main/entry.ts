/** The presale page's entry: checks the page's files, and begins the page after its first paint. */
import '../ui/styles/tokens.css'
import '../ui/styles/kit.css'
import '../ui/styles/page.css'
import '../ui/styles/sale.css'
import { afterFirstPaint } from './page/firstPaint.ts'
import { intact, refuseToBegin } from './page/integrity/intact.ts'

const root = document.getElementById('root')
if (intact() && root)
  afterFirstPaint(root, () => {
    import('./app.tsx').then(({ beginPage }) => beginPage(root), refuseToBegin)
  })
