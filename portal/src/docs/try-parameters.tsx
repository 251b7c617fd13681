import { useQuery } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { read } from '../api.ts'
import { SelectField, TextField } from '../design/field.tsx'
import type { ListedOperation, Parameter } from './document.ts'
import { EXAMPLE_PLACES } from './example.ts'
import type { Filled } from './request.ts'

type ParametersProps = { entry: ListedOperation; filled: Filled; onFill: (filled: Filled) => void; withSession: boolean }

/** A field for each parameter: those that are needed at once, the others when they are asked for. */
export function TryParameters({ entry: { parameters = [] }, filled, onFill, withSession }: ParametersProps) {
  const suggestions = useSuggestions(filled, withSession)
  useOwnPlace(filled, suggestions, onFill)
  const field = (parameter: Parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={filled.values[parameter.name] ?? ''}
      suggestions={suggestions[parameter.name] ?? []}
      onChange={(value) => onFill({ ...filled, values: { ...filled.values, [parameter.name]: value } })}
    />
  )
  const needed = parameters.filter(({ required }) => required)
  const others = parameters.filter(({ required }) => !required)
  return (
    <>
      {needed.map(field)}
      {others.length > 0 && (
        <details>
          <summary className="w-max rounded-small text-accent">Optional parameters</summary>
          <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">{others.map(field)}</div>
        </details>
      )}
    </>
  )
}

/** The slugs that the reader's own session knows. */
function useSuggestions({ values: { orgSlug = '' } }: Filled, withSession: boolean): Record<string, string[]> {
  const organizations = useQuery({ ...read('listOrganizations'), enabled: withSession }).data?.organizations ?? []
  const known = organizations.some(({ slug }) => slug === orgSlug)
  const workspaces = useQuery({ ...read('listWorkspaces', { orgSlug }), enabled: withSession && known }).data?.workspaces ?? []
  return { orgSlug: organizations.map(({ slug }) => slug), workspaceSlug: workspaces.map(({ slug }) => slug) }
}

/** The examples' organization is nobody's: the reader's own first one stands there instead, and so its first workspace. */
function useOwnPlace(filled: Filled, suggestions: Record<string, string[]>, onFill: ParametersProps['onFill']) {
  const own = Object.entries(suggestions).find(
    ([name, slugs]) => slugs[0] && filled.values[name] === EXAMPLE_PLACES[name] && !slugs.includes(filled.values[name]!),
  )
  useEffect(() => {
    if (own) onFill({ ...filled, values: { ...filled.values, [own[0]]: own[1][0]! } })
  }, [own, filled, onFill])
}

type FieldProps = { parameter: Parameter; value: string; suggestions: string[]; onChange: (value: string) => void }

function ParameterField({ parameter: { name, required, schema }, value, suggestions, onChange }: FieldProps) {
  const list = useId()
  const choices = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined)
  if (choices)
    return (
      <SelectField name={name} label={name} value={value} onChange={(event) => onChange(event.target.value)}>
        {!required && <option value="">Not sent</option>}
        {choices.map((choice) => (
          <option key={String(choice)}>{String(choice)}</option>
        ))}
      </SelectField>
    )
  return (
    <>
      <TextField
        name={name}
        label={name}
        className="font-mono text-small"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        value={value}
        {...(suggestions.length > 0 && { list })}
        onChange={(event) => onChange(event.target.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((slug) => (
            <option key={slug} value={slug} />
          ))}
        </datalist>
      )}
    </>
  )
}
