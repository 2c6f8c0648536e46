import type { ModalTexts } from './en.ts'

export default {
  allWallets: 'Todas las wallets',
  account: 'Cuenta',
  whatIsAWallet: '¿Qué es una wallet?',
  receive: 'Recibir',
  compatibleNetworks: 'Redes compatibles',
  partMissing: 'Esta parte no se cargó',
  mayHaveChanged: 'Puede que la página haya cambiado. Recárgala si sigue así.',
  offline: 'No tienes conexión.',
  getAWallet: 'Consigue una wallet',
  consent: {
    both: ['Al conectarte aceptas los ', 'términos', ' y el ', 'aviso de privacidad', '.'],
    terms: ['Al conectarte aceptas los ', 'términos', '.'],
    privacy: ['Al conectarte aceptas el ', 'aviso de privacidad', '.'],
  },
  somethingWrong: '¿Algo va mal?',
  reportFailed: 'No se pudo guardar el informe',
  added: 'Wallet nueva añadida',
  notStarted: 'Falta un archivo de esta ventana, fue alterado o falla una y otra vez. Recarga la página.',
  linkUnread: 'Una wallet abrió esta página con un mensaje que no puede leer. No ha cambiado nada.',
  blockedForbidden: 'Este navegador no deja que la página trabaje en segundo plano. Quizá otro sí.',
  problems: {
    APKT002: 'Configuración de la app no válida',
    APKT006: 'Sesión caducada',
    APKT007: 'ID de proyecto no válido',
    APKT008: 'Falta el ID de proyecto',
    APKT009: 'Error del servidor',
    APKT010: 'Demasiadas solicitudes',
  },
} satisfies ModalTexts
