// Whether the rules of deploy/ha/alerts.yaml ask for what Patroni, etcd and HAProxy really show.
import { readFileSync } from 'node:fs'
import type { Cluster } from './cluster.ts'

const RULES = new URL('../../deploy/ha/alerts.yaml', import.meta.url)

export async function unknownMetrics({ nodes, etcds, balancers }: Cluster): Promise<string[]> {
  const pages = [nodes[0]!.rest, `http://${etcds[0]!.address}`, `http://${balancers[0]!.metrics}`]
  const shown = (await Promise.all(pages.map(async (url) => (await fetch(`${url}/metrics`)).text()))).join('\n')
  const asked = new Set(readFileSync(RULES, 'utf8').match(/\b(?:patroni|etcd|haproxy)_[a-z_]*[a-z]\b/g))
  return [...asked].filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(shown))
}
