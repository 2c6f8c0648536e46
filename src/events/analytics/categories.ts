/** Categories of error reports; `INTERNAL_SDK_ERROR` is the default. */
export const errorCategories = ['API_ERROR', 'DATA_PARSING_ERROR', 'SECURE_SITE_ERROR', 'INTERNAL_SDK_ERROR'] as const
export type ErrorCategory = (typeof errorCategories)[number]
