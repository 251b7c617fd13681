const PREFIX = 'adjoin.draft.'

/** For long forms: what was typed is kept in this tab, also over a reload, until the form is sent. */
export const tabDraft = <Draft>(id: string) => ({
  read: (): Draft | undefined => {
    const text = sessionStorage.getItem(PREFIX + id)
    return text === null ? undefined : (JSON.parse(text) as Draft)
  },
  write: (draft: Draft): void => sessionStorage.setItem(PREFIX + id, JSON.stringify(draft)),
  clear: (): void => sessionStorage.removeItem(PREFIX + id),
})

/** After a sign-out: the next person to sign in begins with empty forms. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}
