import type { Fence } from './fence.ts'

/** Reports alone: they carry the publisher in the path. */
export const pubmaticFence: Fence = {
  kinds: [],
  id: /^[0-9]{1,12}$/,
  positive: true,
  locate: [
    { in: 'path', at: ['/v1/analytics/data/publisher/{account}'] },
    // Assumed, so they are checked and open nothing.
    { in: 'query', text: 'filters', scan: /(?:publisherId|pubId)[^0-9]{1,4}([0-9]+)/i, role: 'extra' },
    { in: 'query', at: ['loggedInOwnerId'], role: 'extra' },
    { in: 'body', at: ['**.loggedInOwnerId', '**.ownerId'], role: 'extra' },
  ],
  blind: `
    ANY /v1/analytics/data/buyer/*
    ANY /v1/analytics/data/dsp/*
    ANY /v1/analytics/topic/*
    ANY /curateddeals*
    ANY /v1/inventory/*
    ANY /v1/common/*
  `,
}
