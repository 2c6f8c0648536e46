import type { StartTexts } from './en.ts'

export default {
  switchTheme: 'Cambiar el tema',
  onThisPage: 'En esta página',
  sale: 'Venta',
  about: 'Proyecto',
  purchases: 'Compras',
  trust: 'Quién guarda el dinero',
  tokenomics: 'Tokenomics',
  roadmap: 'Hoja de ruta',
  questions: 'Preguntas',
  reloadNeeded: 'Hay que recargar.',
  partMissing: 'Una parte de esta página no se cargó. No se envió nada.',
  reloadThis: 'Recargar esta página',
} satisfies StartTexts
