/** One core behind one private port. */
import { expose } from 'comlink'
import type { Core } from '../../../events/wire.ts'
import { openDoor } from '../../drivers/door.ts'
import { listBeside, serveParts } from '../../drivers/parts.ts'
import { freezeIntrinsics } from '../frozen.ts'
import { onlyNamed, passNamedCalls } from '../../../runtime/calls/namedCalls.ts'
import { createShell } from '../../tabs/shell.ts'

freezeIntrinsics()

// The development server has no such list
const listed: string = import.meta.env.VITE_WORKER_PARTS
if (listed) serveParts(listBeside(listed, import.meta.url), import.meta.url)

// Only a journey's build has the door; what is published is rid of it
const door = import.meta.env.VITE_DOOR === 'open' ? openDoor(self.name) : undefined
if (door) Object.assign(self, { door })

const core = createShell({
  stepping(input) {
    postMessage(input?.n ?? 0)
    if (door && input?.type === door.deadly) door.freeze()
  },
  ...(door ? { clock: door.clock } : {}),
})
if (door) {
  const { begin } = core
  core.begin = async (config, hello, cause) =>
    door.deadly === 'core.boot' && cause !== 'none' ? door.crash() : begin(config, hello, cause)
}
const names = Object.keys(core) as (keyof Core)[]
passNamedCalls(self, names, { taking: ['attach'] })
expose(onlyNamed(core, names))
// From the first word on the page may expect answers
postMessage(0)
