/** A session lives while it is used within a week, and never longer than a month. The database enforces both; this tells people. */
export const SESSION_IDLE_DAYS = 7
export const SESSION_ABSOLUTE_DAYS = 30

const DAY = 86_400_000

export const sessionExpiry = (createdAt: Date, lastUsedAt: Date): Date =>
  new Date(Math.min(absoluteExpiry(createdAt).getTime(), lastUsedAt.getTime() + SESSION_IDLE_DAYS * DAY))

export const absoluteExpiry = (createdAt: Date): Date => new Date(createdAt.getTime() + SESSION_ABSOLUTE_DAYS * DAY)
