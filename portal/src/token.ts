import { useLocation } from '@tanstack/react-router'

/** The token of a mailed link. It stands in the fragment, which no server and no log sees. */
export const useToken = (): string | undefined => useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('token') || undefined })
