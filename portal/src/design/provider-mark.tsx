import type { ProviderId } from '@adjoin/contract/providers'
import type { Category } from '../integration-words.ts'

/** Two letters each, our own: no vendor's logo is drawn. */
const letters: Record<string, string> = {
  google_ads: 'Ga',
  meta_ads: 'Me',
  microsoft_ads: 'Ms',
  amazon_ads: 'Am',
  tiktok_ads: 'Tt',
  linkedin_ads: 'Li',
  pinterest_ads: 'Pi',
  snapchat_ads: 'Sn',
  reddit_ads: 'Re',
  display_video_360: 'Dv',
  the_trade_desk: 'Td',
  criteo: 'Cr',
  stackadapt: 'Sa',
  adform: 'Af',
  google_ad_manager: 'Gm',
  campaign_manager_360: 'Cm',
  xandr: 'Mo',
  magnite: 'Mg',
  pubmatic: 'Pm',
  freewheel: 'Fw',
} satisfies Record<ProviderId, string>

/** A circle, a square and a hexagon: the kind is told by the form, and again by the colour. */
const kinds: Record<Category | 'none', { path: string; look: string }> = {
  wg: { path: 'M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22Z', look: 'text-mark-network' },
  dsp: {
    path: 'M6 1.5h12A4.5 4.5 0 0 1 22.5 6v12a4.5 4.5 0 0 1-4.5 4.5H6A4.5 4.5 0 0 1 1.5 18V6A4.5 4.5 0 0 1 6 1.5Z',
    look: 'text-mark-demand',
  },
  ssp: { path: 'M12 .8 22 6.4v11.2l-10 5.6-10-5.6V6.4L12 .8Z', look: 'text-mark-supply' },
  none: { path: 'M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22Z', look: 'text-faint' },
}

type MarkProps = { provider: string; category: Category | null; className?: string }

/** Stands before a name that says the same, so readers of the screen are spared it. */
export function ProviderMark({ provider, category, className = 'size-6' }: MarkProps) {
  const { path, look } = kinds[category ?? 'none']
  return (
    <svg viewBox="0 0 24 24" className={`shrink-0 ${look} ${className}`} aria-hidden="true" focusable="false">
      <path d={path} fill="currentColor" fillOpacity="0.14" stroke="currentColor" strokeOpacity="0.45" />
      <text x="12" y="15.6" textAnchor="middle" fontSize="10" fontWeight="600" fill="currentColor">
        {letters[provider] ?? provider.slice(0, 2)}
      </text>
    </svg>
  )
}
