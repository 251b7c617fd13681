type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** How a language counts: `#` in the form that fits becomes the number. */
export function plurals(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count))
}
