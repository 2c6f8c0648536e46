import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import { isOtherSale } from '../../events/subjects/sale/otherSale.ts'
import { Address } from '../kit/identity/Address.tsx'
import { Avatar } from '../kit/identity/Avatar.tsx'
import { Button } from '../kit/controls/Button.tsx'
import { Glyph } from '../kit/icons/Glyph.tsx'
import { IconButton } from '../kit/controls/IconButton.tsx'
import { sun } from '../kit/icons/iconsOfStart.ts'
import { useModel, useDispatch, useSurroundings } from '../react.tsx'
import { basics } from '../texts/basics/en.ts'
import { useTexts } from '../texts/language.tsx'
import { start } from '../texts/start/en.ts'
import { Sections } from './Sections.tsx'

/** Name, anchors, theme and the wallet button; works before the sale or the core has loaded. */
export function TopBar() {
  const { config } = useSurroundings()
  const dispatch = useDispatch()
  const { connectWallet } = useTexts(basics)
  const { onThisPage, switchTheme: themeLabel } = useTexts(start)
  const symbol = useModel(({ sale }) =>
    sale.terms.phase === 'read' && !isOtherSale(sale, config.sale) ? sale.terms.terms.token.symbol : undefined,
  )
  const account = useModel(model => activeConnection(model)?.account)
  const theme = useModel(model => model.tab.theme)
  const open = (name: 'Connect' | 'Account') => dispatch({ type: 'screen.opened', data: { screen: { name } } })
  const switchTheme = () => {
    const dark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
    dispatch({ type: 'tab.themed', data: { theme: dark ? 'light' : 'dark' } })
  }
  return (
    <header className="top-bar">
      <div className="page">
        <a className="brand touch" href="#sale">
          <Glyph of="mai" size={22} />
          {symbol ?? config.appName}
        </a>
        <nav aria-label={onThisPage}>
          <Sections />
        </nav>
        <div className="top-bar-end">
          <IconButton path={sun} label={themeLabel} onClick={switchTheme} />
          {account === undefined ? (
            <Button size="small" onClick={() => open('Connect')} data-testid="connect-button">
              {connectWallet}
            </Button>
          ) : (
            <Button
              kind="outline"
              size="small"
              className="top-bar-account"
              icon={<Avatar address={account} size={20} />}
              onClick={() => open('Account')}
              data-testid="account-button"
              data-address={account}
            >
              <Address value={account} short />
            </Button>
          )}
        </div>
      </div>
    </header>
  )
}
