/** Frames of a node's socket, possibly hostile. */
import { readNodeFrame } from '../../../src/worker/rpc/subscriptions.ts'
import { changedText } from '../changedText.ts'
import { isRecord } from '../grammars/wanted.ts'
import { changedJson } from '../hostileJson.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

const frames = [
  '{"jsonrpc":"2.0","id":3,"result":24}',
  '{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found"}}',
  '{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":75,"root":44,"slot":76},"subscription":24}}',
  '{"jsonrpc":"2.0","method":"signatureNotification","params":{"result":{"context":{"slot":7},"value":{"err":null}},"subscription":24}}',
]

const own = (value: unknown, name: string) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined)

export const nodeFrames: Reader = {
  name: 'nodeFrames',
  share: 200,
  make(random) {
    const frame = random.pick(frames)
    return random.oneIn(4) ? changedText(random, frame, '[{},null]') : changedJson(random, frame)
  },
  judge(input, read) {
    const found = read(() => readNodeFrame(input))
    if ('fault' in found) return frames.includes(input) ? wrong(false, 'an honest frame was refused') : refused
    const frame = found.value
    if (!frame) return refused
    const parsed: unknown = JSON.parse(input)
    const params = own(parsed, 'params')
    const told = [
      own(parsed, 'id'),
      own(parsed, 'result'),
      own(params, 'subscription'),
      own(own(params, 'result'), 'root'),
    ]
    const { kind: _, ...values } = frame
    for (const value of Object.values(values))
      if (!Number.isSafeInteger(value) || !told.includes(value))
        return wrong(true, 'a number was read that was not told')
    return taken
  },
}
