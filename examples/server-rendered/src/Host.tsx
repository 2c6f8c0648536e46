import { ConnectButton, type ModalConfig, useWallet, WalletModalProvider } from 'mai-modal/react'

const config: ModalConfig = {
  projectId: '00000000000000000000000000000001',
  metadata: {
    name: 'Server-rendered host',
    description: 'A page rendered on a server',
    url: 'https://host.example',
    icons: [],
  },
}

export function Host() {
  return (
    <WalletModalProvider config={config}>
      <h1>Server-rendered host</h1>
      <ConnectButton />
      <Account />
    </WalletModalProvider>
  )
}

function Account() {
  const { address, connected, disconnect } = useWallet()
  return (
    <p>
      Account: <output id="account">{address ?? 'none'}</output>
      {connected && (
        <button type="button" onClick={() => void disconnect()}>
          Disconnect
        </button>
      )}
    </p>
  )
}
