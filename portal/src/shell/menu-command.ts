import type { IconName } from '../design/icons.tsx'
import type { Category } from '../integration-words.ts'

/** Something that one goes to or does by typing its name. */
export type MenuCommand = {
  name: string
  group: string
  /** What tells it apart, below its name. */
  detail?: string
  icon: IconName
  run: () => void
  /** Where names may repeat. */
  id?: string
  /** The ad system, where it is an integration. */
  mark?: { provider: string; category: Category | null }
}
