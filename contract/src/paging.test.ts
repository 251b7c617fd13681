import { describe, expect, it } from 'vitest'
import { nextPage, type PageRequest, type Paging, pagesFrom } from './paging.ts'

const NONE: Omit<Paging, 'by'> = { at: null, parameter: null, size: null, first: 0, drop: [], untilEmpty: false }
const way = (by: Paging['by'], more: Partial<Paging>): Paging[] => [{ ...NONE, by, ...more }]

const token = way('token', { at: 'nextPageToken', parameter: 'pageToken' })
const address = way('address', { at: 'paging.next', drop: ['access_token'] })
const page = way('page', { at: 'data.page_info.total_page', parameter: 'page', size: 'page_size', first: 1 })
const row = way('row', { at: 'TotalFilteredCount', parameter: 'PageStartIndex', size: 'PageSize' })
const cursor = way('cursor', { parameter: 'after' })
const query = 'query($after: String) { campaigns(after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }'

describe('the next page', () => {
  // biome-ignore format: a table
  it.each<[string, Paging[], PageRequest, unknown, PageRequest | undefined]>([
    ['a token, in the query of a GET', token, { path: 'v4/x?pageSize=1' }, { nextPageToken: 'a/b' }, { path: 'v4/x?pageSize=1&pageToken=a%2Fb' }],
    ['a token in the place of the last one', token, { path: 'x?pageToken=a&q=(b)' }, { nextPageToken: 'c' }, { path: 'x?pageToken=c&q=(b)' }],
    ['a token, in a body', token, { path: 'x:search', body: { query: 'q' } }, { nextPageToken: 't' }, { path: 'x:search', body: { query: 'q', pageToken: 't' } }],
    ['no token', token, { path: 'x' }, { results: [1] }, undefined],
    ['an empty token', token, { path: 'x' }, { nextPageToken: '' }, undefined],
    ['the token that was just sent', token, { path: 'x?pageToken=t' }, { nextPageToken: 't' }, undefined],
    ['a token without rows, where that is the end', [{ ...token[0]!, untilEmpty: true }], { path: 'x' }, { items: [], nextPageToken: 't' }, undefined],
    ['a token deeper down', way('token', { at: 'metadata.nextPageToken', parameter: 'pageToken' }), { path: 'x' }, { metadata: { nextPageToken: 't' } }, { path: 'x?pageToken=t' }],
    ['an address, without the masked token', address, { path: 'v25.0/act_1/ads' }, { paging: { next: 'https://g.example/v25.0/act_1/ads?access_token=***&fields=id%2Cname&after=A' } }, { path: 'https://g.example/v25.0/act_1/ads?fields=id%2Cname&after=A' }],
    ['no address', address, { path: 'x' }, { paging: { cursors: {} } }, undefined],
    ['a page', page, { path: 'x/?ids=["1"]&page=1&page_size=1' }, { data: { list: [1], page_info: { total_page: 2 } } }, { path: 'x/?ids=["1"]&page=2&page_size=1' }],
    ['a page that was not named', page, { path: 'x' }, { data: { list: [1], page_info: { total_page: 2 } } }, { path: 'x?page=2' }],
    ['the last page', page, { path: 'x?page=2' }, { data: { list: [1], page_info: { total_page: 2 } } }, undefined],
    ['an error that is no page', page, { path: 'x' }, { code: 40001, data: {} }, undefined],
    ['a full page without a total', way('page', { parameter: 'PageInfo.Index', size: 'PageInfo.Size' }), { path: 'x', body: { PageInfo: { Index: 0, Size: 2 } } }, { Accounts: [1, 2] }, { path: 'x', body: { PageInfo: { Index: 1, Size: 2 } } }],
    ['a page that is not full', way('page', { parameter: 'PageInfo.Index', size: 'PageInfo.Size' }), { path: 'x', body: { PageInfo: { Index: 0, Size: 2 } } }, { Accounts: [1] }, undefined],
    ['rows', row, { path: 'x', body: { PageStartIndex: 0, PageSize: 2 } }, { Result: [1, 2], TotalFilteredCount: 3 }, { path: 'x', body: { PageStartIndex: 2, PageSize: 2 } }],
    ['the last row', row, { path: 'x', body: { PageStartIndex: 2, PageSize: 2 } }, { Result: [3], TotalFilteredCount: 3 }, undefined],
    ['a list that is the answer itself', way('row', { parameter: 'offset', size: 'limit' }), { path: 'x?limit=2' }, [1, 2], { path: 'x?limit=2&offset=2' }],
    ['one object and not a list', way('row', { at: 'response.count', parameter: 'start_element' }), { path: 'x' }, { response: { count: 1, member: {} } }, undefined],
    ['a cursor', cursor, { path: 'graphql', body: { query } }, { data: { campaigns: { pageInfo: { hasNextPage: true, endCursor: 'MQ' } } } }, { path: 'graphql', body: { query, variables: { after: 'MQ' } } }],
    ['a cursor that the query does not take', cursor, { path: 'graphql', body: { query: '{ a }' } }, { data: { pageInfo: { hasNextPage: true, endCursor: 'MQ' } } }, undefined],
    ['the second way, where the first does not apply', [...token, ...way('row', { parameter: 'start', size: 'count', at: 'paging.total' })], { path: 'x?start=0&count=1' }, { elements: [1], paging: { total: 2 } }, { path: 'x?start=1&count=1' }],
  ])('after %s', (_, ways, request, answer, next) => {
    expect(nextPage(ways, request, answer)).toEqual(next)
  })
})

describe('pages', () => {
  const read = async (answers: Response[]) => {
    const paths: string[] = []
    const texts: string[] = []
    const send = async ({ path }: PageRequest) => {
      paths.push(path)
      return answers.shift()!
    }
    for await (const { text } of pagesFrom(token, { path: 'x' }, send)) texts.push(text)
    return { paths, texts }
  }

  it('are fetched one after the other, to the last', async () => {
    const answers = [Response.json({ nextPageToken: 'b' }), Response.json({ nextPageToken: 'c' }), Response.json({})]
    expect(await read(answers)).toEqual({
      paths: ['x', 'x?pageToken=b', 'x?pageToken=c'],
      texts: ['{"nextPageToken":"b"}', '{"nextPageToken":"c"}', '{}'],
    })
  })

  it('end with a refusal, and with what is no JSON', async () => {
    expect((await read([Response.json({ nextPageToken: 'b' }, { status: 403 })])).paths).toEqual(['x'])
    expect((await read([new Response('a,b\n1,2')])).texts).toEqual(['a,b\n1,2'])
  })
})
