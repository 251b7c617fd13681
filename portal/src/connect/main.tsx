import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../styles.css'
import { applyTheme } from '../theme.ts'
import { ConnectPage } from './connect-page.tsx'
import { ResultPage } from './result-page.tsx'

applyTheme()

const token = decodeURIComponent(location.pathname.split('/')[2] ?? '')
const result = token === 'result' ? location.hash.slice(1) : undefined

// Another result stands in the fragment alone, which loads nothing anew.
addEventListener('hashchange', () => location.reload())

createRoot(document.getElementById('root')!).render(
  <StrictMode>{result === undefined ? <ConnectPage token={token} /> : <ResultPage result={result} />}</StrictMode>,
)
