import { useState } from 'react'
import { AmountField } from '../../src/ui/kit/controls/AmountField.tsx'
import { Asset, AssetPick } from '../../src/ui/kit/identity/Asset.tsx'
import { Skeleton } from '../../src/ui/kit/feedback/Skeleton.tsx'
import { Button } from '../../src/ui/kit/controls/Button.tsx'
import { Checkbox } from '../../src/ui/kit/controls/Check.tsx'
import { CopyButton } from '../../src/ui/kit/controls/CopyButton.tsx'
import { Empty } from '../../src/ui/kit/feedback/Empty.tsx'
import { FormField } from '../../src/ui/kit/controls/Field.tsx'
import { Glyph } from '../../src/ui/kit/icons/Glyph.tsx'
import { Icon } from '../../src/ui/kit/icons/Icon.tsx'
import { clockIcon, wallet } from '../../src/ui/kit/icons/icons.ts'
import { search } from '../../src/ui/kit/icons/iconsOfModal.ts'
import { Logo } from '../../src/ui/kit/identity/Logo.tsx'
import { Meter } from '../../src/ui/kit/figures/Meter.tsx'
import { Note } from '../../src/ui/kit/feedback/Note.tsx'
import { Row } from '../../src/ui/kit/Row.tsx'
import { Swatch } from '../../src/ui/kit/identity/Swatch.tsx'
import { TabBar } from '../../src/ui/kit/controls/Tabs.tsx'
import { Tag } from '../../src/ui/kit/feedback/Tag.tsx'
import { Toast } from '../../src/ui/kit/surface/Toast.tsx'

const red =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"%3E%3Crect width="99" height="99" fill="%23ab9ff2"/%3E%3C/svg%3E'

/** A calculator's two legs. */
export function Legs({ error, pay: first = '2.5' }: { error?: string; pay?: string }) {
  const [pay, setPay] = useState(first)
  const [asset, setAsset] = useState('SOL')
  const sol = (
    <Logo name="SOL" tint="ink" round size="small">
      <Glyph of="solana" />
    </Logo>
  )
  return (
    <div className="calculator">
      <AmountField
        label="You pay"
        value={pay}
        onChange={setPay}
        corner={<span className={error && 'text-bad'}>Balance 12.481</span>}
        asset={<AssetPick mark={sol} label="Pay with" value={asset} options={['SOL', 'USDC']} onChange={setAsset} />}
        under="$400.00"
        underEnd={
          <button type="button" className="link">
            Max
          </button>
        }
        error={error}
      />
      <AmountField
        label="You get"
        value="333,333.333"
        onChange={() => {}}
        asset={
          <Asset
            symbol="MAI"
            mark={
              <Logo name="MAI" tint="own" round size="small">
                <Glyph of="mai" size={14} />
              </Logo>
            }
          />
        }
        under="at $0.0012 each"
      />
    </div>
  )
}

/** Every part in its states. */
export function GalleryParts() {
  const [ticked, setTicked] = useState(true)
  const [tab, setTab] = useState('view')
  return (
    <main className="board">
      <section className="grp">
        <h2>Buttons and rows</h2>
        <div className="btns">
          <Button kind="primary" size="big">
            Connect wallet
          </Button>
          <Button size="big" disabled>
            Add 0.250006 SOL to your wallet
          </Button>
          <Button size="big" busy>
            Approve in Phantom
          </Button>
          <Button kind="primary" size="big" busy>
            Signing
          </Button>
          <Button kind="primary" className="is-hover">
            Hover
          </Button>
          <Button kind="primary" className="is-focus">
            Focus
          </Button>
          <Button className="is-press">Pressed</Button>
          <Button kind="outline" size="small">
            Outline
          </Button>
          <CopyButton label="Copy link" onCopy={async () => true} />
          <Row
            mark={<Logo name="Phantom" />}
            name="Phantom"
            tag={
              <Tag tone="good" dot>
                Installed
              </Tag>
            }
            onClick={() => {}}
          />
          <Row mark={<Logo name="Backpack" src={red} />} name="With a picture" busy onClick={() => {}} />
          <Row
            mark={<Logo name="OKX" />}
            name="OKX Wallet"
            sub="Not while another wallet is connected"
            disabled
            onClick={() => {}}
          />
          <Row
            mark={<Logo name="A" />}
            name="A wallet with the very longest name anybody has registered"
            tag={<Tag>Recent</Tag>}
            onClick={() => {}}
          />
        </div>
      </section>
      <section className="grp">
        <h2>Calculator</h2>
        <div className="cells">
          <div className="buy">
            <Legs />
          </div>
          <div className="buy">
            <Legs error="0.250006 SOL short, fee included" />
          </div>
          <div className="buy">
            <Legs pay="750000000.123456789" />
          </div>
        </div>
      </section>
      <section className="grp">
        <h2>Fields, choices, notes</h2>
        <div className="cells">
          <div className="layout-stack">
            <FormField label="Search" icon={<Icon path={search} />} placeholder="Search 480 wallets" />
            <FormField label="Address" defaultValue="6NHB" error="This is not a Solana address." />
            <FormField label="Off" defaultValue="Off" disabled />
            <TabBar
              look="seg"
              label="Mode"
              items={[
                { id: 'view', label: 'View' },
                { id: 'strict', label: 'Strict' },
                { id: 'compat', label: 'Compat' },
              ]}
              value={tab}
              onChange={setTab}
            />
            <div>
              <Checkbox checked={ticked} onChange={setTicked}>
                I have read the sale terms.
              </Checkbox>
              <Checkbox checked={false} onChange={() => {}} missing>
                I am not in Cuba, Iran, North Korea, Syria or the United States.
              </Checkbox>
            </div>
          </div>
          <div className="layout-stack">
            <Note icon={clockIcon}>Numbers from 2 min ago. Retrying in 8 s.</Note>
            <Note tone="warn">
              <b>Nothing was sent.</b> Stage 1 sold out while you were signing.
            </Note>
            <Note tone="bad">
              <b>Phantom changed the payment.</b> We did not send it.
            </Note>
            <Note tone="good">
              <b>It matches.</b> All 1,846 payments give the numbers on this page.
            </Note>
            <div className="legend">
              <span>
                <Swatch /> Audited
              </span>
              <span>
                <Swatch of="hatch" /> Live
              </span>
              <span>
                <Swatch of="open" /> Left
              </span>
            </div>
            <Meter percent={45.47} />
            <Meter percent={65} look="wide" label="65 percent read" />
          </div>
          <div className="layout-stack">
            <Toast at="flow" note={{ id: 1, tone: 'good', text: 'Address copied' }} onDone={() => {}} />
            <Toast at="flow" note={{ id: 2, tone: 'bad', text: 'Token balance unavailable' }} onDone={() => {}} />
            <Toast at="flow" note={{ id: 3, tone: 'busy', text: 'Authenticating' }} onDone={() => {}} />
            <div className="buy">
              <div className="layout-stack">
                <Skeleton width={96} />
                <Skeleton width={200} tall />
                <Skeleton width={140} />
              </div>
            </div>
            <div className="buy">
              <Empty icon={wallet} fact="No purchases yet">
                Payments from this wallet appear here seconds after you send them.
              </Empty>
            </div>
          </div>
        </div>
      </section>
    </main>
  )
}
