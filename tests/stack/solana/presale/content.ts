/** The legal page whose hash the terms name. */
export const LEGAL_HTML = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>MAI sale terms</title></head>
<body>
<h1>MAI sale terms</h1>
<p>This sale runs on a local test chain. Its tokens and its money are worth nothing.</p>
<h2>Who sells</h2>
<p>The holder of the authority key named in the published terms. Payments go to the treasury named there.</p>
<h2>What you get</h2>
<p>MAI at the price of the stage your order falls in, delivered to the wallet that paid, a quarter at the token's
launch and the rest in three parts of 30 days.</p>
<h2>Money back</h2>
<p>A payment that cannot be accepted is returned within 14 days. If the sale ends under the soft cap, every payment is.</p>
<h2>Who may not take part</h2>
<p>Persons in Cuba, Iran, North Korea, Syria or the United States.</p>
</body>
</html>
`

/** Privacy in a paragraph, linked from the page's foot. */
export const PRIVACY_HTML = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Privacy</title></head>
<body>
<h1>Privacy</h1>
<p>The page keeps its record on your device. What you pay is public on the chain, together with your address.</p>
</body>
</html>
`

/**
 * Display content beside the terms: supply split, roadmap, questions, links. Unhashed; nothing here decides anything.
 * Token counts are whole MAI as decimal text, shares are basis points of the supply.
 */
export const CONTENT = {
  format: 'mai-presale-content/1',
  about: {
    title: 'What MAI is',
    text: 'MAI is the token of this local stack. It shows how a project describes itself in a few sentences of its own.',
  },
  tokenomics: {
    supply: '1500000000',
    note: 'Tokens of the presale that stay unsold are burned.',
    rows: [
      { name: 'Presale', tokens: '750000000', bps: 5000 },
      { name: 'Liquidity', tokens: '300000000', bps: 2000 },
      { name: 'Treasury', tokens: '225000000', bps: 1500 },
      { name: 'Team, locked 12 months', tokens: '150000000', bps: 1000 },
      { name: 'Community', tokens: '60000000', bps: 400 },
      { name: 'Referral', tokens: '15000000', bps: 100 },
    ],
  },
  roadmap: [
    {
      when: 'Q3 2026',
      title: 'Token created',
      text: 'All 1,500,000,000 MAI exist. No more can be made.',
      done: true as const,
    },
    {
      when: 'Q4 2026',
      title: 'Terms published',
      text: 'Prices, caps and dates are fixed by their hash.',
      done: true as const,
    },
    { when: 'Q1 2027', title: 'Presale', text: 'Three stages, one price each.' },
    { when: 'After the sale', title: 'First delivery', text: 'A quarter of what was bought, to the wallet that paid.' },
    { when: '30 days apart', title: 'The other three parts' },
  ],
  questions: [
    {
      question: 'Can I get my money back?',
      answer:
        'If the sale ends under the soft cap, yes, all of it. Once the soft cap is reached an accepted purchase is final. Payments that cannot be accepted are returned within 14 days.',
    },
    {
      question: 'What if a stage sells out while I sign?',
      answer:
        'The page checks the price once more before it sends, and sends nothing if you would get less than your minimum. If it happens after sending, the payment is returned.',
    },
    {
      question: 'Why is one SOL always $160 here?',
      answer: 'The published terms fix the rate. The market may be better or worse.',
    },
    {
      question: 'When do I receive my tokens?',
      answer:
        'A quarter at the launch, the rest in three equal parts, 30 days apart. They arrive in the wallet you paid from.',
    },
    {
      question: 'What do audited and received mean?',
      answer:
        'Audited payments are final and were judged one by one at the newest checkpoint. What was received came after it, and some of it may still be returned.',
    },
  ],
  links: [
    { name: 'Terms', path: 'terms.html' },
    { name: 'Privacy', path: 'privacy.html' },
  ],
}
