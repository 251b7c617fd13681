import type { ChildProcess } from 'node:child_process'

export const BEAT_MS: number
export const STOP_WITHIN_MS: number
export function watchHeartbeat(child: ChildProcess, onStuck: (seconds: number) => void): void
export function killAfter(child: ChildProcess, ms: number): void
export function createBackOff(): (ranMs: number) => number
