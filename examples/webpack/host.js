import { createModal } from 'mai-modal'

const modal = createModal({
  projectId: '00000000000000000000000000000001',
  metadata: { name: 'webpack host', description: 'A page built by webpack', url: location.origin, icons: [] },
})
modal.subscribe(({ account }) => {
  document.getElementById('account').textContent = account.address ?? 'none'
})
document.getElementById('connect').onclick = () => void modal.open()
