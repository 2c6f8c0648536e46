/** The same small page with the published embed. */
import type { HostModal } from '../../../src/main/embed/hostModal.ts'
import { drawSmallPage } from './smallPage.tsx'

const embed = '/embed/embed.js'
const loading = import(/* @vite-ignore */ embed) as Promise<typeof import('../../../src/main/embed.ts')>
let modal: HostModal | undefined
void loading.then(({ createModal }) => {
  modal = createModal({
    projectId: '00000000000000000000000000000001',
    metadata: { name: 'Bench', description: 'Bench page', url: location.origin, icons: [] },
  })
})

drawSmallPage({ open: () => void modal?.open() })
