import type { RelayTexts } from './en.ts'

export default {
  openWallet: 'Abrir la wallet',
  newCodeIn: time => `Nuevo código en ${time}`,
  makingCode: 'Creando un código nuevo',
  codeNotLoaded: 'El código no se cargó. Copia el enlace.',
  tooLong: 'Es demasiado largo para un código QR. Cópialo.',
  connecting: 'Estableciendo la conexión con las wallets del teléfono.',
  refused: 'Las wallets del teléfono no pueden conectarse ahora.',
  checkClock: 'Comprueba que el reloj de este dispositivo está en hora.',
  useInstalled: 'Usa una wallet instalada.',
  offline: 'No tienes conexión. Una wallet podrá responder cuando vuelvas a tenerla.',
  away: 'La conexión con las wallets del teléfono está caída. Esta página sigue intentándolo.',
  busy: 'La conexión con las wallets del teléfono está saturada. Esta página lo intentará sola otra vez.',
  moving: 'La conexión con las wallets del teléfono pasa a otro servidor. Esta página sigue intentándolo.',
  partMissing: 'Una parte de esta página no se pudo cargar. Esta página sigue intentándolo.',
  walletAway: wallet =>
    `No se puede llegar a ${wallet}: una parte de esta página no se pudo cargar. Puedes mirar, pero no pagar con ella.`,
  walletOffline: wallet =>
    `No tienes conexión, así que no se puede llegar a ${wallet}. Puedes mirar, pero no pagar con ella.`,
} satisfies RelayTexts
