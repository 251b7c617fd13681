import { graphqlEffect } from '../graphql-effect.ts'
import { rules } from './rules.ts'

export const stackadapt = rules({
  hosts: [
    { host: 'api.stackadapt.com', when: ['environment', 'production'] },
    { host: 'sandbox.stackadapt.com', when: ['environment', 'sandbox'] },
  ],
  allow: `
    @api.stackadapt.com
    /graphql
    @sandbox.stackadapt.com
    /public/graphql
  `,
  deny: `
    mint ANY /service/v2/*
    tunnel GET /graphql
    tunnel PUT /graphql
    tunnel PATCH /graphql
    tunnel DELETE /graphql
    tunnel GET /public/graphql
    tunnel PUT /public/graphql
    tunnel PATCH /public/graphql
    tunnel DELETE /public/graphql
  `,
  parameters: `
    body query=*createWebhook* on /graphql
    body query=*createWebhook* on /public/graphql
    body query=*updateWebhook* on /graphql
    body query=*updateWebhook* on /public/graphql
    body query=*upsertSnowflakeShare* on /graphql
    body query=*upsertSnowflakeShare* on /public/graphql
    body query=*createShopifyConnection* on /graphql
    body query=*createShopifyConnection* on /public/graphql
    body query=*updateShopifyConnection* on /graphql
    body query=*updateShopifyConnection* on /public/graphql
    body [] on /graphql
    body [] on /public/graphql
  `,
  reads: '',
  effect: graphqlEffect,
  inject: ({ credential: { fields } }) => ({ headers: { Authorization: `Bearer ${fields.apiKey}` } }),
})
