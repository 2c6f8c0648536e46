const modal = MaiModal.createModal({
  projectId: '00000000000000000000000000000001',
  metadata: { name: 'Plain host', description: 'A page without a bundler', url: location.origin, icons: [] },
})
modal.showButton(document.getElementById('wallet'))
modal.showButton(document.getElementById('balance'), { kind: 'account' })
modal.showButton(document.getElementById('network'), { kind: 'network' })
const show = (id, text) => (document.getElementById(id).textContent = text)
modal.subscribe(({ account }) => show('account', account.address ?? 'none'))
document.getElementById('connect').onclick = async () => show('outcome', (await modal.open()).outcome)
