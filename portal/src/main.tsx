import { ProblemError } from '@adjoin/contract/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api.ts'
import { PhrasesContext } from './design/phrases.ts'
import { Toasts } from './design/toast.tsx'
import { english } from './phrases.tsx'
import { router } from './router.tsx'
import { watchService } from './service-state.ts'
import './styles.css'
import './font.css'
import { applyTheme } from './theme.ts'

applyTheme()
watchService(() => queryClient.invalidateQueries())

// A refusal that a page shows is no defect of the page: the console is kept for those.
const onCaughtError = (error: unknown) => error instanceof ProblemError || console.error(error)

createRoot(document.getElementById('root')!, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <PhrasesContext value={english}>
        <RouterProvider router={router} />
        <Toasts />
      </PhrasesContext>
    </QueryClientProvider>
  </StrictMode>,
)
