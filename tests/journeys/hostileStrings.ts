/** Hostile texts, and the traces they could leave in the page. */
import type { Page } from '@playwright/test'
import { everyCase } from '../everyCase.ts'

const payloads = [
  '<img src=x onerror=__run()>',
  '<script>__run()</script>',
  '<svg onload=__run()>',
  '"><b onclick=__run()>',
  "');__run();('",
  '{{constructor.constructor(`__run()`)()}}',
  '${__run()}',
  '__proto__',
  'constructor',
  '&lt;i&gt;',
  '%3Cscript%3E',
  'Quill',
]
const dress: ((text: string) => string)[] = [
  text => text,
  text => `\u202e${text}\u202c`,
  text => `\u2066${text}\u2069`,
  text => `\u200f${text}\u200e`,
  text => `${text}\u2028line\u2029end`,
  text => `\u0000${text}\u0007\u001b[31m\u009f`,
  text => `a${'\u0301'.repeat(40)}${text}`,
  text => `\u0301${text}\u0489`,
  text => `\u200b${text}\u3164\ufe0f\u2060`,
  text => `${text}\u2800\u00ad\u061c`,
  text => `\ud800${text}\ue000`,
  text => `${text}\u{e0041}\u{e007f}`,
  text => `\ufeff${text}\u180e`,
  text => `\n${text}\r\n\t`,
  text => `${text}🦊﷽`,
  text => `${text}\u202a\u202b\u202d`,
  text => [...text].join('\u034f'),
]

/** 204 distinct ones. */
export const hostileStrings: readonly string[] = payloads.flatMap((payload, n) =>
  dress.map((wear, m) => wear(`${payload}${n}.${m}`)),
)

/** All of them with every case, else a fifth, which still has each payload and each way to dress it. */
export const someHostile = everyCase ? hostileStrings : hostileStrings.filter((_, at) => at % 5 === 0)

/** Runs inside the page: finds effects no foreign text may have. */
export function traces(): string[] {
  const unseen =
    /[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\0-\b\v\f\u000e-\u001f\u007f-\u009f]|\p{M}{4}/u
  const found: string[] = []
  if ('__ran' in window) found.push('a script ran')
  for (const element of document.querySelectorAll('*')) {
    if (element.matches('head *, #installed-wallet-confirm *')) continue
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) found.push(`an attribute ${name}`)
      if (unseen.test(value)) found.push(`${name} of ${element.tagName}: ${JSON.stringify(value)}`)
    }
    for (const node of element.childNodes)
      if (node instanceof Text && unseen.test(node.data)) found.push(JSON.stringify(node.data))
  }
  return found
}

/** Makes `__run` leave a trace. */
export function listenForRuns(): void {
  Object.assign(window, { __run: () => Object.assign(window, { __ran: true }) })
}

export const tracesIn = (page: Page): Promise<string[]> => page.evaluate(traces)
