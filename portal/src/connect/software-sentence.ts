import type { Link } from './link.ts'

const powers: Record<Link['callPolicy']['mode'], string> = {
  off: 'won’t be able to use this connection',
  read: 'will be able to read reports and settings. It can’t change anything',
  full: 'will be able to read and change campaigns, budgets and settings',
}

/** What programs will do with the access, in the words of someone who has never heard of policies. */
export function softwareSentence({ organization: { name }, callPolicy: { mode } }: Pick<Link, 'organization' | 'callPolicy'>): string {
  const own = `${name}${/s$/i.test(name) ? '’' : '’s'}`
  return `${own} software ${powers[mode]}. ${own} admins can change this later.`
}
