import type { AlertsTexts } from './en.ts'

export default {
  remedies: {
    APKT002: (origin: string) => `Añade ${origin} a los dominios permitidos del proyecto.`,
    APKT006: () => 'Comprueba la fecha y la hora de este dispositivo.',
    APKT007: () => 'Pon en projectId el id de un proyecto.',
    APKT008: () => 'Pon en projectId el id de un proyecto.',
    APKT009: () => 'El servicio del proyecto tiene un fallo. Se le preguntará de nuevo en la próxima visita.',
    APKT010: () => 'El proyecto ha preguntado demasiadas veces. Se preguntará de nuevo en la próxima visita.',
  },
  debug: 'Se muestra porque debug está activado.',
  dismiss: 'Ocultar',
} satisfies AlertsTexts
