import type { BasicsTexts } from './en.ts'

export default {
  back: 'Atrás',
  close: 'Cerrar',
  cancel: 'Cancelar',
  tryAgain: 'Intentar de nuevo',
  timeLeft: time => `Quedan ${time}.`,
  copied: 'Copiado',
  notCopied: 'No copiado',
  connectWallet: 'Conectar wallet',
  reload: 'Recargar la página',
  report: 'Descargar un informe del problema',
  reportSaved: name => `${name} guardado`,
  reportFailed: 'No se pudo guardar el informe.',
  reportNote:
    'En un informe se sustituyen direcciones, nombres, importes y fechas, y nunca contiene una clave. Aun así, un pago puede encontrarse por el tiempo que lo separa de otro pago o de un cambio de la venta.',
  notShown: 'Eso no se pudo mostrar. Inténtalo de nuevo o recarga la página.',
  outdated: 'Esta página ha cambiado. Recárgala.',
  otherBuild: ['Otra versión de esta página está abierta en otra pestaña.', 'Continúa allí o aquí.'],
  continueHere: 'Continuar aquí',
  disconnected: wallet => `${wallet} desconectada`,
  switched: 'Wallet cambiada',
} satisfies BasicsTexts
