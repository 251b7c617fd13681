import type { MintedKey } from '../api.ts'
import { Button } from '../design/button.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Notice } from '../design/notice.tsx'

/** The only time the key is seen: it leaves the page's memory when this closes. */
export const ShowKey = ({ minted, onClose }: { minted: MintedKey; onClose: () => void }) => (
  <Dialog title={`API key “${minted.name}”`} open onClose={onClose} wide>
    <div className="grid gap-4">
      <Notice tone="warn" title="Copy this key now" detail="You won’t be able to see it again." />
      <div className="flex flex-wrap items-center gap-3 rounded-base bg-sunken p-3">
        <code className="wrap-anywhere min-w-0 flex-1 select-all font-mono text-small" data-testid="key">
          {minted.key}
        </code>
        <CopyButton text={minted.key} />
      </div>
      <p className="text-soft">
        Send it in the <code className="font-mono text-small">x-api-key</code> header. Keep it in a secret store, not in code.
      </p>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I’ve saved it
        </Button>
      </DialogActions>
    </div>
  </Dialog>
)
