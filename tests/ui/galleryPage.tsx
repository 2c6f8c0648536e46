import { Address } from '../../src/ui/kit/identity/Address.tsx'
import { Button } from '../../src/ui/kit/controls/Button.tsx'
import { Checkbox } from '../../src/ui/kit/controls/Check.tsx'
import { CopyButton } from '../../src/ui/kit/controls/CopyButton.tsx'
import { Disclosure } from '../../src/ui/kit/controls/Disclosure.tsx'
import { Glyph } from '../../src/ui/kit/icons/Glyph.tsx'
import { Icon } from '../../src/ui/kit/icons/Icon.tsx'
import { IconButton } from '../../src/ui/kit/controls/IconButton.tsx'
import { swap } from '../../src/ui/kit/icons/icons.ts'
import { sun } from '../../src/ui/kit/icons/iconsOfStart.ts'
import { Meter } from '../../src/ui/kit/figures/Meter.tsx'
import { PriceChart } from '../../src/ui/kit/figures/PriceChart.tsx'
import { Swatch } from '../../src/ui/kit/identity/Swatch.tsx'
import { Legs } from './galleryParts.tsx'

/** Parts in their places on the page: top bar, story, staircase, ladder, buy card, a section. */
export function GalleryPage({ onConnect }: { onConnect: () => void }) {
  return (
    <>
      <header className="top-bar">
        <div className="page">
          <a className="brand" href="#top">
            <Glyph of="mai" size={22} />
            MAI
          </a>
          <div className="top-bar-end">
            <IconButton path={sun} label="Switch theme" />
            <Button size="small" onClick={onConnect}>
              Connect wallet
            </Button>
          </div>
        </div>
      </header>
      <main>
        <div className="page">
          <div className="hero">
            <div className="hero-story">
              <div className="status">
                <span className="status-word">
                  <span className="dot" />
                  Live
                </span>
                <span>Stage 2 of 3, ends 31 Jan 2027, 00:00 UTC</span>
                <div className="countdown">
                  <span>
                    <b>16</b>d
                  </span>
                  <span>
                    <b>14</b>h
                  </span>
                </div>
              </div>
              <h1>Raised in the MAI presale</h1>
              <p className="raised">
                $286,412<small>.50</small>
              </p>
              <p className="raised-under">of $825,000, for 363,677,083 MAI. Soft cap reached.</p>
              <PriceChart
                steps={[
                  { name: 'Stage 1', price: '$0.0006', spoken: 'sold out', width: 18.1818, height: 0.4 },
                  { name: 'Stage 2', price: '$0.0012', spoken: '45 percent sold', width: 36.3636, height: 0.8 },
                  { name: 'Stage 3', price: '$0.0015', spoken: 'not started', width: 45.4545, height: 1 },
                ]}
                filled={{ audited: 31.86, live: 2.86 }}
                softCap={{ at: 24.24, label: 'Soft cap', amount: '$200k' }}
                title="Price staircase."
                now="Now"
                zero="$0"
                end="Hard cap $825k"
                summary="Raised 286,412 of 825,000 dollars."
              />
              <div className="legend">
                <span>
                  <Swatch />
                  Audited <b>$262,840.00</b>
                </span>
                <span>
                  <Swatch of="hatch" />
                  Live, not yet audited <b>$23,572.50</b>
                </span>
                <span>
                  <Swatch of="open" />
                  Left <b>$538,587.50</b>
                </span>
              </div>
              <table className="ladder">
                <thead>
                  <tr>
                    <th>Stage</th>
                    <th>Price</th>
                    <th className="ladder-capacity">Capacity</th>
                    <th className="ladder-meter">Sold</th>
                    <th>
                      <span className="text-hidden">State</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  <tr className="is-off">
                    <td>
                      <span className="ladder-name">Stage 1</span>
                    </td>
                    <td>$0.0006</td>
                    <td className="ladder-capacity">$150,000</td>
                    <td className="ladder-meter">
                      <Meter percent={100} look="past" />
                    </td>
                    <td>Sold out</td>
                  </tr>
                  <tr>
                    <td>
                      <span className="ladder-name">Stage 2</span>
                    </td>
                    <td className="text-strong">$0.0012</td>
                    <td className="ladder-capacity">$300,000</td>
                    <td className="ladder-meter">
                      <Meter percent={45.47} />
                    </td>
                    <td className="text-strong">45.4%</td>
                  </tr>
                </tbody>
              </table>
            </div>
            <div className="hero-side">
              <section className="buy" aria-label="Buy MAI">
                <header>
                  <h2>Buy MAI</h2>
                  <span className="tag">$10 to $25,000 per wallet</span>
                </header>
                <div className="calculator">
                  <Legs />
                  <button type="button" className="calculator-flip" aria-label="Enter the amount of MAI instead">
                    <Icon path={swap} small />
                  </button>
                </div>
                <dl className="value-list">
                  <div>
                    <dt>You get at least</dt>
                    <dd>333,333.333332 MAI</dd>
                  </div>
                  <div>
                    <dt>Total</dt>
                    <dd className="text-strong">2.500006 SOL</dd>
                  </div>
                </dl>
                <fieldset className="buy-acks">
                  <legend className="text-hidden">Before you buy</legend>
                  <Checkbox checked={false} onChange={() => {}}>
                    I have read the sale terms.
                  </Checkbox>
                  <Checkbox checked={false} onChange={() => {}}>
                    I am not in Cuba, Iran, North Korea, Syria or the United States.
                  </Checkbox>
                  <Checkbox checked={false} onChange={() => {}}>
                    I understand I could lose everything I pay.
                  </Checkbox>
                </fieldset>
                <Button kind="primary" size="big" onClick={onConnect}>
                  Connect wallet
                </Button>
                <p className="buy-plain">
                  Payments go to the project’s treasury wallet. The team holds its keys, and you trust them to refund
                  and to deliver.
                </p>
              </section>
            </div>
          </div>
          <section className="section">
            <header>
              <h2>Who holds the money</h2>
            </header>
            <div>
              <dl className="facts">
                <div>
                  <dt>Treasury</dt>
                  <dd>
                    <Address value="8YiSCNNh1SEDn4C3LHuAByhtuVSdtkrYVL4GRfKLtWSDa" />
                  </dd>
                  <dd className="facts-acts">
                    <CopyButton iconOnly label="Copy the treasury's address" onCopy={async () => true} />
                  </dd>
                </div>
              </dl>
              <div className="questions">
                <Disclosure summary="Can I get my money back?" open>
                  <p>If the sale ends under the soft cap, yes, all of it.</p>
                </Disclosure>
                <Disclosure summary="What if a stage sells out while I sign?">
                  <p>Before sending, the page checks the price again.</p>
                </Disclosure>
              </div>
            </div>
          </section>
        </div>
      </main>
    </>
  )
}
