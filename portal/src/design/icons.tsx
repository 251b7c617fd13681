/** One stroke, one size: what every icon of the portal is drawn with. */
const shapes = {
  alert: 'M8 2.2 14.5 13.5H1.5L8 2.2ZM8 6.5v3M8 11.5v.1',
  check: 'M3 8.5 6.5 12 13 4.5',
  chevron: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3l2 1.5',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M6 6V3.5h6.5V10H10M3.5 6H10v6.5H3.5V6Z',
  device: 'M2.5 3.5h11v7h-11v-7ZM6 13.5h4M8 10.5v3',
  download: 'M8 2.5v7.5M5 7.5l3 3 3-3M3 13.5h10',
  home: 'M2.5 7.5 8 3l5.5 4.5V13h-4V9.5h-3V13h-4V7.5Z',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.5v3.5M8 5v.1',
  key: 'M6 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8.2 7.8 13 3M11 5l1.8 1.8',
  layers: 'm8 2.5 6 3-6 3-6-3 6-3ZM2 8.5l6 3 6-3M2 11l6 3 6-3',
  leave: 'M9.5 3H3v10h6.5M6.5 8H14M11.5 5.5 14 8l-2.5 2.5',
  list: 'M3 4h.1M3 8h.1M3 12h.1M6 4h7.5M6 8h7.5M6 12h7.5',
  mail: 'M2 4h12v8.5H2V4Zm0 .5 6 4.5 6-4.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  next: 'M3 8h10M9.5 4.5 13 8l-3.5 3.5',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 3a2.3 2.3 0 0 1 0 4.3M12 9.8c1.5.5 2.5 1.8 2.5 3.7',
  person: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.8 14c0-2.6 2.3-4 5.2-4s5.2 1.4 5.2 4',
  plus: 'M8 3v10M3 8h10',
  rotate: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.6 10.6 14 14',
  send: 'M14 2 7 9M14 2 9.5 14 7 9 2 6.5 14 2Z',
  settings:
    'M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M10.3 6.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM5.8 12.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  shield: 'M8 2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4l5-2ZM5.8 8l1.7 1.7 3-3.2',
  theme: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 2v12M8 5l4-.5M8 8h6M8 11l4 .5',
} as const

export type IconName = keyof typeof shapes

export const Icon = ({ name, className = '' }: { name: IconName; className?: string }) => (
  <svg
    viewBox="0 0 16 16"
    className={`size-4 shrink-0 ${className}`}
    fill="none"
    stroke="currentColor"
    strokeWidth={name === 'more' || name === 'list' ? 1.75 : 1.4}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={shapes[name]} />
  </svg>
)

export const Spinner = ({ className = '' }: { className?: string }) => (
  <svg viewBox="0 0 16 16" className={`size-4 shrink-0 animate-turn ${className}`} fill="none" strokeWidth="1.75" aria-hidden="true">
    <circle cx="8" cy="8" r="6" stroke="currentColor" opacity="0.25" />
    <path d="M14 8a6 6 0 0 0-6-6" stroke="currentColor" strokeLinecap="round" />
  </svg>
)
