/** The languages of everything that a client reads: connect pages, receipts and mails. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ja'] as const
export type Language = (typeof languages)[number]
