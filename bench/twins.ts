// The twins in a process of their own, so that what they cost is not counted as ours. Ends with its parent.
import { createSandbox } from '../api/src/sandbox/index.ts'

const { url } = await createSandbox({ secret: process.argv[2]!, environment: 'test' }).listen()
process.send!(url)
process.on('disconnect', () => process.exit())
