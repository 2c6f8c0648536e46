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
import { type KnownSale, teamPays } from '../saleStatus.ts'
import { useExplorer } from '../useExplorer.ts'
import { Verification } from './Verification.tsx'
import { useSaleWords } from '../../saleWords.ts'
import { start } from '../../../texts/start/en.ts'
import { useTexts } from '../../../texts/language.tsx'

/** The holder of the money, stated first; then the verifiable facts. */
export const Trust = memo(function Trust({ known }: { known: KnownSale | undefined }) {
  const { sale } = useSaleWords()
  const { trust } = useTexts(start)
  return (
    <Section id="trust" title={trust}>
      <div className="trust">
        {teamPays(known) && (
          <p>
            <b>{sale.teamHolds}</b> {sale.teamHoldsNote}
          </p>
        )}
        {known && (
          <p>
            {sale.relyOn} {!known.capabilities.selfRefund && `${sale.refundWithin(known.terms.refund.withinDays)} `}
            {!known.capabilities.withdraw && `${sale.noWithdrawal} `}
            {unsoldWords(sale, known.terms)}
          </p>
        )}
      </div>
      {known && <Facts known={known} />}
      {known && <Verification terms={known.terms} />}
    </Section>
  )
})

function Facts({ known: { terms, termsHash, noticeRef, mint } }: { known: KnownSale }) {
  const { sale: t } = useSaleWords()
  const { symbol } = terms.token
  return (
    <dl className="facts">
      <Fact name={t.treasury} value={terms.treasury} at={terms.treasury} />
      {terms.token.mint === null ? (
        <div>
          <dt>{t.tokenMint}</dt>
          <dd>{t.notCreated}</dd>
          <dd className="facts-acts" />
        </div>
      ) : (
        <Fact name={t.tokenMint} value={terms.token.mint} at={terms.token.mint} />
      )}
      {terms.assets.map(asset => {
        const mint = unprovedMint(terms, asset)
        return mint === undefined ? null : <Fact key={mint} name={t.mintOf(asset.symbol)} value={mint} at={mint} />
      })}
      <Fact name={t.authority} value={terms.authority} at={terms.authority} />
      <Fact name={t.termsVersion(terms.version)} value={termsHash} at={noticeRef} hash />
      {mint && (
        <Power name={t.minting} none={t.noOneMints(symbol)} around={t.canMint(symbol)} authority={mint.mintAuthority} />
      )}
      {mint && (
        <Power
          name={t.freezing}
          none={t.noOneFreezes(symbol)}
          around={t.canFreeze(symbol)}
          authority={mint.freezeAuthority}
        />
      )}
    </dl>
  )
}

/** A power over the token and its holder. A revoked authority is gone for good; the chain does not say who owns the key. */
function Power(props: { name: string; none: string; around: [string, string]; authority: string | undefined }) {
  const { name, none, around, authority } = props
  const { sale } = useSaleWords()
  const explorer = useExplorer()
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {authority === undefined ? (
          none
        ) : (
          <>
            {around[0]}
            <Address value={authority} short />
            {around[1]}
          </>
        )}
      </dd>
      <dd className="facts-acts">
        {authority !== undefined && (
          <ExternalLink
            className="icon-button"
            href={explorer({ address: authority })}
            aria-label={sale.factInExplorer(name)}
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
  const { sale } = useSaleWords()
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
        <CopyButton iconOnly label={sale.copyFact(name)} onCopy={() => copy(value)} />
        {at !== undefined && (
          <ExternalLink
            className="icon-button"
            href={explorer({ address: at })}
            aria-label={hash ? sale.termsInExplorer : sale.factInExplorer(name)}
            title={hash ? sale.termsAnnounced : undefined}
          >
            <Icon path={out} small />
          </ExternalLink>
        )}
      </dd>
    </div>
  )
}
