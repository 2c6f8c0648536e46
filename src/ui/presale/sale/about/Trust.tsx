import { memo } from 'react'
import { unprovedMint } from '../../../../events/sale/terms/knownMints.ts'
import { Address } from '../../../kit/identity/Address.tsx'
import { CopyButton } from '../../../kit/controls/CopyButton.tsx'
import { ExternalLink } from '../../../kit/controls/ExternalLink.tsx'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { out } from '../../../kit/icons/icons.ts'
import { useSurroundings } from '../../../react.tsx'
import { unsoldWords } from '../unsoldWords.ts'
import { Section } from '../../Section.tsx'
import type { KnownSale } from '../saleStatus.ts'
import { useExplorer } from '../useExplorer.ts'

/** The holder of the money, stated first; then the verifiable facts. */
export const Trust = memo(function Trust({ known }: { known: KnownSale | undefined }) {
  return (
    <Section id="trust" title="Who holds the money">
      <div className="trust">
        <p>
          <b>The team does.</b> Every payment goes to one treasury wallet, and the team holds its keys. No program on
          the chain can force a refund or a delivery.
        </p>
        {known && (
          <p>
            If a payment cannot be accepted, the terms oblige the team to return it within{' '}
            {known.terms.refund.withinDays} days. {unsoldWords(known.terms)}
          </p>
        )}
      </div>
      {known && <Facts known={known} />}
    </Section>
  )
})

function Facts({ known: { terms, termsHash, noticeRef, mint } }: { known: KnownSale }) {
  return (
    <dl className="facts">
      <Fact name="Treasury" value={terms.treasury} at={terms.treasury} />
      {terms.token.mint === null ? (
        <div>
          <dt>Token mint</dt>
          <dd>Not created yet</dd>
          <dd className="facts-acts" />
        </div>
      ) : (
        <Fact name="Token mint" value={terms.token.mint} at={terms.token.mint} />
      )}
      {terms.assets.map(asset => {
        const mint = unprovedMint(terms, asset)
        return mint === undefined ? null : <Fact key={mint} name={`Mint of ${asset.symbol}`} value={mint} at={mint} />
      })}
      <Fact name="Authority" value={terms.authority} at={terms.authority} />
      <Fact name={`Terms, version ${terms.version}`} value={termsHash} at={noticeRef} hash />
      {mint && <Power name="Minting" may={`create more ${terms.token.symbol}`} authority={mint.mintAuthority} />}
      {mint && <Power name="Freezing" may={`freeze ${terms.token.symbol}`} authority={mint.freezeAuthority} />}
    </dl>
  )
}

/** A power over the token and its holder. A revoked authority is gone for good; the chain does not say who owns the key. */
function Power({ name, may, authority }: { name: string; may: string; authority: string | undefined }) {
  const explorer = useExplorer()
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {authority === undefined ? (
          `No one can ${may}`
        ) : (
          <>
            <Address value={authority} short /> can {may}
          </>
        )}
      </dd>
      <dd className="facts-acts">
        {authority !== undefined && (
          <ExternalLink
            className="icon-button"
            href={explorer({ address: authority })}
            aria-label={`Open in explorer: ${name}`}
          >
            <Icon path={out} small />
          </ExternalLink>
        )}
      </dd>
    </div>
  )
}

/** One verifiable fact. `at`: the address to open in an explorer, if known. */
function Fact(props: { name: string; value: string; at: string | undefined; hash?: boolean }) {
  const { name, value, at, hash = false } = props
  const { copy } = useSurroundings()
  const explorer = useExplorer()
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {hash ? (
          <span className="facts-hash">
            <Address value={value} />
          </span>
        ) : (
          <Address value={value} />
        )}
      </dd>
      <dd className="facts-acts">
        <CopyButton iconOnly label={`Copy: ${name}`} onCopy={() => copy(value)} />
        {at !== undefined && (
          <ExternalLink
            className="icon-button"
            href={explorer({ address: at })}
            aria-label={`Open in explorer: ${hash ? 'where the team announces its terms' : name}`}
            title={hash ? 'Where the team announces its terms' : undefined}
          >
            <Icon path={out} small />
          </ExternalLink>
        )}
      </dd>
    </div>
  )
}
