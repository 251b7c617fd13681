import { Toast } from 'radix-ui'
import { useSyncExternalStore } from 'react'
import { Icon } from './icons.tsx'

type ToastMessage = { id: number; text: string; bad: boolean }
let messages: readonly ToastMessage[] = []
const listeners = new Set<() => void>()

function set(next: readonly ToastMessage[]) {
  messages = next
  for (const listener of listeners) listener()
}

/** Says in passing that something was done; what needs an answer stays on the page instead. */
export const toast = (text: string, { bad = false } = {}) => set([...messages.slice(-2), { id: Date.now() + Math.random(), text, bad }])

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => messages)
  return (
    <Toast.Provider duration={5000} swipeDirection="right">
      {shown.map(({ id, text, bad }) => (
        <Toast.Root
          key={id}
          type={bad ? 'foreground' : 'background'}
          onOpenChange={(open) => !open && set(messages.filter((message) => message.id !== id))}
          className="card flex items-start gap-2.5 px-4 py-3 shadow-floating"
        >
          <Icon name={bad ? 'alert' : 'check'} className={`mt-[3px] ${bad ? 'text-bad' : 'text-good'}`} />
          <Toast.Description>{text}</Toast.Description>
        </Toast.Root>
      ))}
      <Toast.Viewport className="fixed right-4 bottom-4 z-50 grid w-[calc(100%-2rem)] max-w-sm gap-2 outline-none" />
    </Toast.Provider>
  )
}
