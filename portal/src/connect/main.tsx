import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../styles.css'
import { applyTheme } from '../theme.ts'
import { ConnectPage } from './connect-page.tsx'
import { ResultPage } from './result-page.tsx'

applyTheme()

const root = createRoot(document.getElementById('root')!)
const token = location.pathname.split('/')[2] ?? ''

function draw() {
  const result = location.hash.slice(1)
  root.render(<StrictMode>{token === 'result' ? <ResultPage key={result} result={result} /> : <ConnectPage token={token} />}</StrictMode>)
}

draw()
// Another result differs in the fragment alone, for which the browser loads nothing anew.
addEventListener('hashchange', draw)
