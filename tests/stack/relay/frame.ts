/** Relay frames as text. Ids stay literal text: relay ids have 19 digits, and a JSON number would lose the last ones. */

/** One JSON-RPC frame from a client: `idText` is the literal JSON of its id (`17`, `"17"`, `"17n"`), absent without one. */
export type Frame =
  | { kind: 'request'; idText: string; method: string; params: unknown }
  | { kind: 'answer'; idText: string; failed: boolean }
  | { kind: 'malformed'; idText: string; reason: string }

/** Reads one text frame; anything that is neither request nor answer is `malformed` with a sentence. */
export function readFrame(text: string): Frame {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return {
      kind: 'malformed',
      idText: 'null',
      reason: `relay frame expected JSON, got ${text.length} characters of text`,
    }
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { kind: 'malformed', idText: 'null', reason: 'relay frame expected one object' }
  }
  const idText = topLevelId(text) ?? 'null'
  const frame = value as { method?: unknown; params?: unknown }
  if (typeof frame.method === 'string' && idText !== 'null') {
    return { kind: 'request', idText, method: frame.method, params: frame.params }
  }
  if ('result' in value || 'error' in value) return { kind: 'answer', idText, failed: 'error' in value }
  return { kind: 'malformed', idText, reason: 'relay frame expected method, result or error beside an id' }
}

/** The frame of a successful answer. `idText` is written as it came. */
export function resultFrame(idText: string, result: unknown): string {
  return `{"id":${idText},"jsonrpc":"2.0","result":${JSON.stringify(result)}}`
}

/** The frame of a refusal with a JSON-RPC error code. */
export function errorFrame(idText: string, code: number, message: string): string {
  return `{"id":${idText},"jsonrpc":"2.0","error":${JSON.stringify({ code, message })}}`
}

/** Normalises an id: `1795226335321326765`, `"1795226335321326765"` and `"1795226335321326765n"` are equal. */
export function idKey(idText: string): string {
  return /^"?(\d+)n?"?$/.exec(idText)?.[1] ?? idText.replaceAll('"', '')
}

/** The literal text of the value under the key `id` of the outermost object. The text is known to be valid JSON. */
function topLevelId(text: string): string | undefined {
  let depth = 0
  let at = 0
  while (at < text.length) {
    const char = text[at]
    if (char === '"') {
      const end = stringEnd(text, at)
      const colon = /^\s*:\s*/.exec(text.slice(end, end + 64))
      if (depth === 1 && colon && text.slice(at, end) === '"id"') return literal(text, end + colon[0].length)
      at = end
      continue
    }
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    at += 1
  }
  return undefined
}

function literal(text: string, from: number): string | undefined {
  if (text[from] === '"') return text.slice(from, stringEnd(text, from))
  return /^(-?[\d.eE+-]+|null|true|false)/.exec(text.slice(from, from + 64))?.[1]
}

/** Index just behind the string that opens at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
