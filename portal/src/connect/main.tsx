import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles.css'
import { applyTheme } from '../theme.ts'
import { browserLanguage, chosenLanguage } from './languages.ts'
import { Speaking, speak } from './speech.tsx'

applyTheme()

/** The page that the address names; each brings only what it needs itself. */
async function pageOf([first = '', second = '']: string[]): Promise<ReactNode> {
  if (first === 'r') {
    const { RequestPage } = await import('./request-page.tsx')
    return <RequestPage token={second} />
  }
  if (first === 'receipt') {
    const { ReceiptPage } = await import('./receipt-page.tsx')
    return <ReceiptPage token={second} />
  }
  if (first === 'stop' || first === 'mails') {
    const { StopPage } = await import('./stop-page.tsx')
    return <StopPage token={second} />
  }
  if (first === 'result') {
    const { ResultPage } = await import('./result-page.tsx')
    return <ResultPage />
  }
  const { ConnectPage } = await import('./connect-page.tsx')
  return <ConnectPage token={first} />
}

async function draw(): Promise<void> {
  const [page, speech] = await Promise.all([pageOf(location.pathname.split('/').slice(2)), speak(chosenLanguage() ?? browserLanguage())])
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Speaking first={speech}>{page}</Speaking>
    </StrictMode>,
  )
}

draw().catch(() => {
  document.getElementById('root')!.textContent = 'This page could not be loaded. Reload it to try again.'
})
