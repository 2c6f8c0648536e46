import type { ReactNode } from 'react'
import { Address } from '../../src/ui/kit/identity/Address.tsx'
import { Avatar } from '../../src/ui/kit/identity/Avatar.tsx'
import { SkeletonRow } from '../../src/ui/kit/feedback/SkeletonRow.tsx'
import { Button } from '../../src/ui/kit/controls/Button.tsx'
import { CopyButton } from '../../src/ui/kit/controls/CopyButton.tsx'
import { Empty } from '../../src/ui/kit/feedback/Empty.tsx'
import { ExternalLink } from '../../src/ui/kit/controls/ExternalLink.tsx'
import { FormField } from '../../src/ui/kit/controls/Field.tsx'
import { Glyph } from '../../src/ui/kit/icons/Glyph.tsx'
import { Icon } from '../../src/ui/kit/icons/Icon.tsx'
import { IconButton } from '../../src/ui/kit/controls/IconButton.tsx'
import { close, copyIcon, down, refresh, warn } from '../../src/ui/kit/icons/icons.ts'
import { back, bridge, grid, help, power, search } from '../../src/ui/kit/icons/iconsOfModal.ts'
import { Logo } from '../../src/ui/kit/identity/Logo.tsx'
import { Qr } from '../../src/ui/kit/figures/Qr.tsx'
import { Ring } from '../../src/ui/kit/figures/Ring.tsx'
import { Row } from '../../src/ui/kit/Row.tsx'
import { ScrollArea } from '../../src/ui/kit/surface/ScrollArea.tsx'
import type { SheetProps } from '../../src/ui/kit/surface/Sheet.tsx'
import { TabBar } from '../../src/ui/kit/controls/Tabs.tsx'
import { Tag } from '../../src/ui/kit/feedback/Tag.tsx'
import { Toast } from '../../src/ui/kit/surface/Toast.tsx'

const address = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
const uri = `wc:${'7f'.repeat(32)}@2?expiryTimestamp=1800000300&relay-protocol=irn&symKey=${'a3'.repeat(32)}`

/** The rows of Connect. */
export function Rows({ onPress }: { onPress: () => void }) {
  return (
    <>
      <Row
        mark={
          <Logo name="WalletConnect" tint={4}>
            <Icon path={bridge} />
          </Logo>
        }
        name="WalletConnect"
        tag={<Tag>QR code</Tag>}
        onClick={onPress}
      />
      <Row mark={<Logo name="Solflare" tint={2} />} name="Solflare" tag={<Tag>Recent</Tag>} onClick={onPress} />
      <Row
        mark={<Logo name="Phantom" tint={1} />}
        name="Phantom"
        tag={
          <Tag tone="good" dot>
            Installed
          </Tag>
        }
        onClick={onPress}
      />
      <SkeletonRow />
      <Row
        mark={
          <Logo name="" tint="none">
            <Icon path={grid} />
          </Logo>
        }
        name="All wallets"
        tag={<Tag>480+</Tag>}
        leads
        onClick={onPress}
      />
    </>
  )
}

function Cell({
  caption,
  ...sheet
}: { caption: string } & Partial<SheetProps> & { title: string; children: ReactNode }) {
  return (
    <figure className="cell">
      <figcaption>{caption}</figcaption>
      <Card {...sheet} />
    </figure>
  )
}

/** The card of a sheet without its overlay, which would cover the page. */
function Card({ title, name, left, pad, foot, toast, children }: Partial<SheetProps>) {
  return (
    <section className="sheet" aria-label={title || name}>
      <div className="sheet-head">
        {left ?? <IconButton path={back} label="Back" />}
        <h2 className={title ? undefined : 'text-hidden'}>{title || name}</h2>
        <IconButton path={close} label="Close" />
      </div>
      <div className="sheet-view">
        <div className={pad ? 'sheet-body is-padded' : 'sheet-body'}>{children}</div>
        {foot && <div className="sheet-foot">{foot}</div>}
      </div>
      {toast}
    </section>
  )
}

function Wait({
  came,
  title,
  children,
}: {
  came?: 'declined' | 'expired' | 'failed'
  title: string
  children: ReactNode
}) {
  return (
    <>
      <Ring came={came}>
        <Logo name="Phantom" tint={1} size="large" />
      </Ring>
      <div className="ring-words">
        <h3>{title}</h3>
        <p>{children}</p>
      </div>
      {came ? (
        <Button kind="primary" wide icon={<Icon path={refresh} small />}>
          Try again
        </Button>
      ) : (
        <Button wide>Open Phantom again</Button>
      )}
      <div className="get-line">
        <span>Don’t have Phantom?</span>
        <ExternalLink href="https://example.org">Get it</ExternalLink>
      </div>
    </>
  )
}

/** The modal's frame with the design's views in it. */
export function GalleryModal() {
  const names = ['Phantom', 'Solflare', 'Backpack', 'MetaMask', 'Trust Wallet', 'OKX Wallet', 'Bitget', 'TokenPocket']
  return (
    <main className="board">
      <div className="cells">
        <Cell
          caption="Connect"
          title="Connect wallet"
          left={<IconButton path={help} label="What is a wallet?" />}
          foot={
            <>
              By connecting you agree to the <ExternalLink href="#a">terms</ExternalLink> and{' '}
              <ExternalLink href="#b">privacy notice</ExternalLink>.
            </>
          }
        >
          <Rows onPress={() => {}} />
        </Cell>
        <Cell caption="All wallets" title="All wallets">
          <div className="layout-stack">
            <FormField label="Search wallets" icon={<Icon path={search} />} placeholder="Search 480 wallets" />
            <ScrollArea>
              <div className="tiles">
                {[...names, ...names, ...names, ...names].map((name, index) => (
                  <button className="tile" type="button" key={`${name}${index}`}>
                    <Logo name={name} />
                    <span className="tile-name">{name}</span>
                    {index % 5 === 0 && <span className="tile-has" />}
                  </button>
                ))}
              </div>
            </ScrollArea>
          </div>
        </Cell>
        <Cell caption="List failed" title="All wallets">
          <div className="layout-stack">
            <FormField label="Search wallets" icon={<Icon path={search} />} placeholder="Search wallets" />
            <Empty
              icon={warn}
              fact="The wallet list did not load"
              action={
                <Button size="small" icon={<Icon path={refresh} small />}>
                  Try again
                </Button>
              }
            >
              Installed wallets and the QR code still work.
            </Empty>
          </div>
        </Cell>
        <Cell caption="Waiting" title="Phantom" pad>
          <Wait title="Continue in Phantom">Approve the connection in the wallet.</Wait>
        </Cell>
        <Cell caption="Declined" title="Phantom" pad>
          <Wait came="declined" title="You declined">
            Nothing was shared. Try again whenever you like.
          </Wait>
        </Cell>
        <Cell caption="Expired" title="Phantom" pad>
          <Wait came="expired" title="The request ran out">
            Phantom did not answer within 4 minutes. Unlock it and ask again.
          </Wait>
        </Cell>
        <Cell caption="Failed" title="Phantom" pad>
          <Wait came="failed" title="Could not reach Phantom">
            The connection for phone wallets was lost. Your wallet and funds are not affected.
          </Wait>
        </Cell>
        <Cell caption="QR" title="WalletConnect" pad>
          <Qr text={uri} label="QR code to connect a wallet" mark={{ path: bridge }} />
          <div className="qr-line">
            <span>Scan with your phone’s wallet</span>
            <span className="text-muted">New code in 3:12</span>
          </div>
          <CopyButton label="Copy link" wide onCopy={async () => true} />
        </Cell>
        <Cell
          caption="Account"
          title=""
          name="Account"
          onBack={undefined}
          left={
            <button type="button" className="chip network-chip">
              <Logo name="Solana" tint="ink" round size="small">
                <Glyph of="solana" />
              </Logo>
              Solana
              <Icon path={down} small />
            </button>
          }
        >
          <div className="account">
            <Avatar address={address} size={76} />
            <button type="button" className="account-copy">
              <Address value={address} short />
              <Icon path={copyIcon} small />
            </button>
            <p className="account-balance">
              $2,371<small>.96</small>
            </p>
          </div>
          <TabBar
            label="Account"
            items={[
              { id: 't', label: 'Tokens' },
              { id: 'n', label: 'NFTs' },
              { id: 'a', label: 'Activity' },
            ]}
            value="t"
            onChange={() => {}}
          />
          <div className="account-rows">
            <Row
              mark={
                <Logo name="Solana" tint="ink" round>
                  <Glyph of="solana" />
                </Logo>
              }
              name="Solana"
              sub="12.481 SOL"
              end="$1,996.96"
            />
          </div>
          <div className="layout-rule" />
          <Row
            mark={
              <Logo name="" tint="none">
                <Icon path={power} />
              </Logo>
            }
            name="Disconnect"
            onClick={() => {}}
          />
        </Cell>
        <Cell
          caption="Receive"
          title="Receive"
          pad
          toast={<Toast note={{ id: 1, tone: 'good', text: 'Address copied' }} onDone={() => {}} />}
        >
          <div className="receive">
            <div className="receive-code">
              <Qr text={address} label="QR code of your address" />
            </div>
            <p className="receive-address">
              <Address value={address} />
            </p>
            <CopyButton label="Copy address" wide onCopy={async () => true} />
            <p className="text-fine">Only send assets on Solana to this address.</p>
          </div>
        </Cell>
      </div>
    </main>
  )
}
