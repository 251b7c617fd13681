import type { MintedKey } from '../api.ts'
import { ShownOnce } from '../design/shown-once.tsx'

export const ShowKey = ({ minted, onClose }: { minted: MintedKey; onClose: () => void }) => (
  <ShownOnce title={`API key “${minted.name}”`} what="key" text={minted.key} onClose={onClose}>
    <p>
      Send it in the <code className="font-mono text-small">x-api-key</code> header. Keep it in a secret store, not in code.
    </p>
  </ShownOnce>
)
