import type { permissionsInEnglish } from '@adjoin/contract/permissions'
import { useSpeech } from './speech.tsx'
import { useRead } from './use-read.ts'

/**
 * The service names permissions in the English of the contract: those that it knows, in the client's language.
 * Others are left to the caller; nothing is known before the table has come.
 */
export function useOwnWords(said: string[]): (english: string) => string | undefined {
  const { permissions } = useSpeech().words
  const { data } = useRead(async () => (said.length ? (await import('@adjoin/contract/permissions')).permissionsInEnglish : undefined))
  return (english) => {
    const known = Object.entries(data ?? {}).find(([, words]) => words === english)
    return known && permissions[known[0] as keyof typeof permissionsInEnglish]
  }
}
