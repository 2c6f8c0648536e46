/** The React entry on a server: it renders without a wallet and touches no browser. */
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ConnectButton, useWalletModal, WalletModalProvider } from '../../../src/main/package/react.tsx'

const config = { projectId: 'p1', metadata: { name: 'Host', description: '', url: 'https://host.example', icons: [] } }

test('React entry: a server renders the button of a visitor without a wallet', () => {
  const html = renderToString(
    <WalletModalProvider config={config}>
      <ConnectButton className="join" />
    </WalletModalProvider>,
  )
  expect(html).toBe('<button type="button" class="join" aria-busy="false">Connect Wallet</button>')
})

test('React entry: a hook without its provider says what is missing', () => {
  const Lost = () => <>{useWalletModal().visible}</>
  expect(() => renderToString(<Lost />)).toThrow('useWalletModal expected a WalletModalProvider above it, found none')
})
