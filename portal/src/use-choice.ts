import { useState } from 'react'
import { useChange } from './api.ts'
import { toast } from './design/toast.tsx'
import { explain } from './problem.ts'

type Chosen<Value> = {
  shown: Value
  busy: boolean
  choose: (next: Value) => void
}

/**
 * A value that is changed by choosing another one. The choice shows from the click on until what the service holds has been
 * read again; a refusal is told, and the old value is back. A change alone says a moment later that it is pending, and until
 * then a control would jump back.
 */
export function useChoice<Value, Answer>(
  value: Value,
  send: (next: Value) => Promise<Answer>,
  onSuccess: (answer: Answer) => unknown,
): Chosen<Value> {
  const [chosen, setChosen] = useState<{ value: Value }>()
  const change = useChange(send, onSuccess)
  const choose = (next: Value) => {
    setChosen({ value: next })
    change.mutate(next, {
      onError: (error) => toast(explain(error).detail, { bad: true }),
      onSettled: () => setChosen(undefined),
    })
  }
  return { shown: chosen ? chosen.value : value, busy: chosen !== undefined, choose }
}
