import { deleteWebhook, disableWebhook, enableWebhook, rotateWebhookSecret, updateWebhook } from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { getWebhook, listWebhookDeliveries, listWebhooks } from './read.ts'
import { redeliverWebhook, replayWebhook, testWebhook } from './try-webhook.ts'

export const webhooks = {
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  enableWebhook,
  disableWebhook,
  testWebhook,
  replayWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
}
