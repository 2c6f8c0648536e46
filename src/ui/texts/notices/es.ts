import type { NoticeTexts } from './en.ts'

export default {
  retryFailed: 'Aún no se puede llegar a la wallet. Recarga la página o inténtalo más tarde.',
  answerUnused: 'La respuesta de tu wallet no se pudo usar. El resultado aparece aquí.',
  messageUnused: 'Un mensaje de tu wallet no se pudo usar.',
  notDone: 'Eso no se pudo hacer. Descarga un informe del problema y envíalo al equipo.',
  notDelivered: 'Eso no llegó. Inténtalo de nuevo.',
  otherTabBusy: 'Hay una orden abierta en la otra pestaña. Termínala allí y continúa aquí.',
  otherTabSilent: 'La otra pestaña no responde. Ciérrala para continuar aquí.',
  lateSent: 'Tu wallet respondió tarde. Se busca en la cadena si envió algo.',
  lateUnused: 'Tu wallet respondió demasiado tarde. Esa respuesta no se usa.',
  analyticsRefused: 'Configuración de la app no válida',
  calls: {
    balance: 'Saldo no disponible',
    history: 'No se pudieron leer las transacciones',
  },
} satisfies NoticeTexts
