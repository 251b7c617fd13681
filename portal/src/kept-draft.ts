const PREFIX = 'adjoin.draft.'

/** A form that takes a while: what was typed is there again after a reload, in this tab, until it is sent. */
export const keptDraft = <Draft>(id: string) => ({
  read: (): Draft | undefined => {
    const kept = sessionStorage.getItem(PREFIX + id)
    return kept === null ? undefined : (JSON.parse(kept) as Draft)
  },
  write: (draft: Draft): void => sessionStorage.setItem(PREFIX + id, JSON.stringify(draft)),
  clear: (): void => sessionStorage.removeItem(PREFIX + id),
})

/** The next person to sign in begins with empty forms. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}
