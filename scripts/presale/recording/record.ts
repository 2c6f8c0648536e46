/**
 * Records a run while it happens.
 *
 * 1. A line is written before the verb learns what it says, so that a kill leaves a prefix of the run.
 * 2. Each end of a call or a wait reaches the verb in a task of its own, in the order of the lines: a replay has the same order.
 */
import { setImmediate as nextTask } from 'node:timers/promises'
import { toFailure } from '../../../src/runtime/failure.ts'
import { isRecord } from '../../../src/runtime/json/isRecord.ts'
import type { VerbArguments } from '../../../src/main/replay/verb.ts'
import { readKey } from '../keys.ts'
import { waitMs } from '../node.ts'
import type { PresaleExit, PresaleIo, PresaleVerb, SigningKey } from '../verb.ts'
import { runFormat, sha256Hex } from './format.ts'
import { type Lines, openLines } from './lines.ts'
import { type Portable, portableRun } from './portable.ts'
import { inputsOf, leavesPayment, watchFiles } from './runFiles.ts'

/** `io` is for the verb; `end` completes the recording, and warns of payments in it that may still land. */
export type Recorder = { io: PresaleIo; end(code: PresaleExit): void }

type Recorded = { name: string; verb: PresaleVerb; asked: VerbArguments }

/**
 * Begins a recording.
 *
 * @param file which must not exist
 * @throws Fault `bad_input` when it exists or cannot be written, when the inputs are too large, or a key is among them
 */
export function openRecorder(file: string, { name, verb, asked }: Recorded, io: PresaleIo): Recorder {
  const place = { verb, asked, directory: io.directory }
  const portable = portableRun(verb, asked, io.directory)
  const inputs = inputsOf(place, portable)
  const written = watchFiles(place, portable)
  const lines = openLines(file, io)
  lines.add({
    kind: 'head',
    format: runFormat,
    verb: name,
    words: portable.words,
    flags: [...asked.flags],
    values: portable.values,
    folders: portable.folders,
    inputs,
  })
  return {
    io: recordingIo(io, lines, portable),
    end(code) {
      lines.add({ kind: 'end', code, files: written() })
      lines.close()
      if (leavesPayment(place))
        io.err.write(
          `warning: ${file} has a signed payment that may still land: run the payout to its end, or advance its lane's nonce, before you send the file to anybody\n`,
        )
    },
  }
}

function recordingIo(io: PresaleIo, lines: Lines, portable: Portable): PresaleIo {
  const { wait = waitMs, random = below => Math.floor(Math.random() * below) } = io
  const err = recordedOutput('err', io.err, lines, portable)
  let waits = 0
  return {
    ...io,
    out: recordedOutput('out', io.out, lines, portable),
    err,
    call: recordedCall(io.call ?? fetch, lines, portable),
    key: (option, path) => recordedKey(option, path, { ...io, err }, lines, portable),
    async wait(ms) {
      waits += 1
      const id = waits
      await wait(ms)
      await nextTask()
      lines.add({ kind: 'wait', id, ms })
    },
    random(below) {
      const value = random(below)
      lines.add({ kind: 'random', below, value })
      return value
    },
  }
}

/** Progress that a terminal overwrites depends on the clock, and is left out. */
function recordedOutput(kind: 'out' | 'err', to: PresaleIo['out'], lines: Lines, portable: Portable): PresaleIo['out'] {
  return {
    ...(to.isTTY !== undefined && { isTTY: to.isTTY }),
    write(text) {
      const lasting = text.replace(/^\r\u001b\[K/, '')
      if (lasting !== '' && !lasting.startsWith('\r')) lines.add({ kind, text: portable.text(lasting) })
      return to.write(text)
    },
  }
}

function recordedCall(call: typeof fetch, lines: Lines, { hide }: Portable): typeof fetch {
  return async (url, init) => {
    const request = requestOf(url, init)
    let response: Response
    let text: string
    try {
      response = await call(url, init)
      text = await response.text()
    } catch (cause) {
      await nextTask()
      lines.add({ kind: 'failure', ...request })
      throw cause
    }
    const { status } = response
    const retryAfter = response.headers.get('retry-after')
    await nextTask()
    // Other bodies are not read, and a provider may repeat its access key there
    const answer = status === 200 ? hide(text) : ''
    lines.add({ kind: 'call', ...request, status, answer, ...(retryAfter !== null && { retryAfter }) })
    return answered(status, text, retryAfter)
  }
}

/** @returns a call to a node as a recording has it */
export function requestOf(...[url, init]: Parameters<typeof fetch>) {
  const asked: unknown = JSON.parse(String(init?.body))
  const { id, method, params = null } = isRecord(asked) ? asked : {}
  return { host: new URL(String(url)).host, id: Number(id), method: String(method), params }
}

/** @returns an answer of a node */
export function answered(status: number, text: string, retryAfter: string | null | undefined): Response {
  const headers = new Headers(retryAfter ? { 'retry-after': retryAfter } : {})
  return new Response(status === 200 ? text : null, { status, headers })
}

function recordedKey(option: string, path: string, io: PresaleIo, lines: Lines, portable: Portable): SigningKey {
  let warning = ''
  const heard = { write: (text: string) => (warning += text) }
  let key: SigningKey
  try {
    key = io.key?.(option, path) ?? readKey(option, path, { ...io, err: heard })
  } catch (cause) {
    lines.add({ kind: 'refusedKey', option, message: portable.text(toFailure(cause).message) })
    throw cause
  }
  const { address } = key
  lines.add({ kind: 'key', option, address, warning: portable.text(warning) })
  if (warning !== '') io.err.write(warning)
  return {
    address,
    sign(message) {
      const signature = key.sign(message)
      const hash = sha256Hex(message)
      lines.add({ kind: 'sign', address, message: hash, signature: Buffer.from(signature).toString('base64') })
      return signature
    },
  }
}
