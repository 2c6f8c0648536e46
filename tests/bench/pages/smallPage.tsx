/** A small presale page of a host; only its modal differs. */
import { createRoot } from 'react-dom/client'

const facts = ['Supply', 'Price', 'Start', 'End', 'Vesting', 'Audit']
const panel = { background: '#1a1f2b', borderRadius: 12, padding: 16 }

/** @param modal rendered below the page; draws nothing while closed */
export function drawSmallPage({ open, modal: Modal }: { open: () => void; modal?: () => React.ReactNode }): void {
  const root = document.querySelector('#root')
  if (!root) throw new Error('the small page expected an element #root, there is none')
  createRoot(root).render(
    <>
      <main style={{ fontFamily: 'system-ui, sans-serif', background: '#10131a', color: '#eef' }}>
        <header style={{ display: 'flex', justifyContent: 'space-between', padding: '12px 24px' }}>
          <strong>Example presale</strong>
          <button type="button" data-testid="connect-button" onClick={open}>
            Connect wallet
          </button>
        </header>
        <section style={{ padding: '48px 24px' }}>
          <h1>Token presale</h1>
          <p>Connect a Solana wallet to take part. Price 0.0042 SOL, cap 1,000,000 tokens.</p>
          <progress value="42" max="100" />
          <label>
            Amount (SOL) <input inputMode="decimal" defaultValue="1.0" />
          </label>
        </section>
        <section style={{ display: 'grid', gridTemplateColumns: 'repeat(3, 1fr)', gap: 16, padding: 24 }}>
          {facts.map(name => (
            <article key={name} style={panel}>
              <h2>{name}</h2>
              <p>Some text about {name.toLowerCase()}, so that there is something to lay out.</p>
            </article>
          ))}
        </section>
      </main>
      {Modal && <Modal />}
    </>,
  )
}
