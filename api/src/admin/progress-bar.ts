const WIDTH = 30

/** On a terminal a bar that moves; elsewhere a line now and then. */
export function progressBar(
  what: string,
  out: NodeJS.WriteStream = process.stderr,
): { show(progress: { done: number; total: number }): void; end(): void } {
  let last = 0
  let shown = false
  return {
    show({ done, total }) {
      const part = total ? Math.min(1, done / total) : 1
      if (out.isTTY) {
        const full = Math.round(part * WIDTH)
        out.write(`\r${what} [${'█'.repeat(full)}${'·'.repeat(WIDTH - full)}] ${done}/${total}`)
        shown = true
      } else if (Date.now() - last > 1000) {
        last = Date.now()
        out.write(`${what}: ${done} of ${total}\n`)
      }
    },
    end() {
      if (shown) out.write('\n')
    },
  }
}

/** One bar after the other, each named by what it counts. */
export function progressBars() {
  let bar: ReturnType<typeof progressBar> | undefined
  let named = ''
  const end = () => bar?.end()
  const show = (what: string) => (progress: { done: number; total: number }) => {
    if (what !== named) {
      end()
      bar = progressBar(what)
      named = what
    }
    bar!.show(progress)
  }
  return { show, end }
}
