import type { SignInTexts } from './en.ts'

const safe = 'Una firma no mueve nada y no cuesta nada.'

export default {
  signIn: 'Iniciar sesión',
  codeLabel: 'Código QR para iniciar sesión con una wallet',
  newCode: 'Código nuevo',
  copyLink: 'Copiar enlace',
  linkCopied: 'Enlace copiado',
  linkNotCopied: 'El enlace no se copió',
  openYours: 'Abre tu wallet',
  requestWaits: 'Una solicitud espera en tu wallet. Respóndela allí y vuelve.',
  states: {
    scan: ['Escanea con la wallet de tu teléfono', safe],
    ranOut: ['Este código caducó', 'Una wallet que ya lo tiene aún puede firmar.'],
    done: ['Has iniciado sesión', 'La firma corresponde a lo pedido.'],
    answered: ['Tu wallet respondió', 'Se está comprobando la firma.'],
    unsupported: ['Tu wallet pide conectarse', 'No sabe iniciar sesión así. Apruébalo allí.'],
    delivered: ['Inicia sesión en tu wallet', `Ya tiene la solicitud. ${safe}`],
    opening: ['Abriendo tu wallet', safe],
    making: ['Creando un código', safe],
    declined: ['Has rechazado', 'No se firmó nada.'],
    noAnswer: ['La wallet no ha respondido', 'La solicitud caducó. Una respuesta posterior no se usa.'],
    noFit: ['Esta firma no corresponde', 'No es lo que se pidió, así que no se inició sesión.'],
    notOpened: ['No se pudo abrir la wallet', 'Su enlace no abre ninguna wallet. No se firmó nada.'],
    offline: ['No tienes conexión', 'No se firmó nada. Inténtalo cuando vuelvas a tenerla.'],
    noStorage: ['Este navegador no guarda nada', 'Iniciar sesión necesita almacenamiento. Permítelo para esta página.'],
    changed: ['Esta página ha cambiado', 'Recárgala e inicia sesión.'],
    unreached: ['No se pudo llegar a tu wallet', 'Algo falló por el camino. No se firmó nada.'],
  },
} satisfies SignInTexts
