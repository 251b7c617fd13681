import type { Fence } from './fence.ts'

/** Reports alone: each names its account, kind and number, in one parameter. */
export const magniteFence: Fence = {
  kinds: [],
  id: /^(?:publisher|seller|marketplace-vendor|mp-vendor|bidder)\/[0-9]+$/,
  positive: true,
  locate: [{ in: 'query', at: ['account'], once: true, required: true, on: ['/analytics/v1/report*', '/analytics/v2/default'] }],
  blind: `
    ANY /analytics/v2/default/*
  `,
}
