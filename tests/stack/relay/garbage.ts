/** Invalid frames, by kind. A client must survive each without losing the socket's other frames. */
const kinds: Record<'text' | 'binary' | 'shape', (string | Buffer)[]> = {
  text: ['', 'not json', '{"id":', '\u0000\ufffd', '<!doctype html><title>502</title>'],
  binary: [Buffer.from([0, 255, 1, 254])],
  shape: [
    'null',
    '[]',
    '17',
    '{}',
    '{"__proto__":{"method":"irn_subscription"}}',
    '{"id":1795226335321326701,"jsonrpc":"2.0","method":"irn_subscription"}',
    '{"id":1795226335321326703,"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"x","data":null}}',
    '{"id":1795226335321326705,"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"x","data":{"topic":7,"message":{},"tag":"a"}}}',
    '{"id":"no such call","jsonrpc":"2.0","result":true}',
    '{"id":1,"jsonrpc":"2.0","method":"irn_nothing","params":{}}',
  ],
}

/**
 * Frames of one kind, or of all.
 *
 * @param topic a topic of the receiver; `envelope` pushes undecryptable messages on it
 */
export function garbageFrames(
  kind: true | 'text' | 'binary' | 'shape' | 'envelope',
  topic: string | undefined,
): (string | Buffer)[] {
  if (kind !== true && kind !== 'envelope') return kinds[kind]
  const envelopes = [
    'AAAA',
    '!',
    '',
    'Ag==',
    'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
    `AA${'A'.repeat(200)}`,
  ].map((message, n) => {
    const data = { topic: topic ?? 'f'.repeat(64), message, publishedAt: 1_700_000_000_000, tag: 1108 }
    return `{"id":${1_795_226_335_321_327_001n + BigInt(n * 2)},"jsonrpc":"2.0","method":"irn_subscription","params":${JSON.stringify({ id: 'garbage', data })}}`
  })
  return kind === 'envelope' ? envelopes : [...kinds.text, ...kinds.binary, ...kinds.shape, ...envelopes]
}
