interface LogoProps {
  className?: string
  /** Only the two joined letters. */
  short?: boolean
}

/** The wordmark, drawn from one stroke: a and d share an edge, as the things we connect do. */
export const Logo = ({ className = 'h-6', short }: LogoProps) => (
  <svg viewBox={short ? '0 0 29 30' : '0 0 82 30'} className={`${className} w-auto`} role="img" aria-label="Adjoin" fill="none">
    <g stroke="currentColor" strokeWidth="3" strokeLinecap="round">
      <circle cx="8.5" cy="16" r="6" />
      <path d="M14.5 10v12" />
      <path d="M26.5 3v19" className="text-accent" stroke="currentColor" />
      <circle cx="20.5" cy="16" r="6" className="text-accent" stroke="currentColor" />
      <path d="M35 10v13.5a4 4 0 0 1-4 4" />
      <circle cx="47.5" cy="16" r="6" />
      <path d="M60 10v12" />
      <path d="M67 22V10M67 16a5.5 5.5 0 0 1 11 0v6" />
    </g>
    <g fill="currentColor">
      <circle cx="35" cy="4" r="1.9" />
      <circle cx="60" cy="4" r="1.9" />
    </g>
  </svg>
)
