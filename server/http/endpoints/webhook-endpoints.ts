import * as z from 'zod/mini';
import {
  createWebhook,
  rotateWebhookKey,
  updateWebhook,
  webhookBody,
  webhookDeliveriesQuery,
  webhookDeliveryBody,
  webhookDeliveryList,
  webhookId,
  webhookList,
  webhookListQuery,
} from '../../../src/wire/management/webhook.js';
import { defineEndpoints, successOf } from './endpoint.js';

const path = '/api/webhooks';
const common = { tag: 'Webhooks', access: 'account', permission: 'account' } as const;
const params = z.object({ id: webhookId });
const notFound = ['webhook_not_found'];
const errors = { 404: notFound };
/** Of calls that have an event sent. */
const askedForErrors = {
  409: ['webhook_disabled', 'webhook_key_unreadable', 'stored_row_unreadable'],
  429: ['webhook_backlog_full'],
};
const addressErrors = { 400: ['webhook_address_refused', 'unsupported_field'] };

export const webhookEndpoints = defineEndpoints({
  list: {
    ...common,
    method: 'get',
    path: `${path}/list`,
    id: 'listWebhooks',
    summary: 'List the webhooks',
    description: 'In the order of their ids. `startingId` is the first id of the answer.',
    query: webhookListQuery,
    response: webhookList,
  },
  create: {
    ...common,
    method: 'post',
    path,
    id: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'The events of the account are sent to `url`, signed as Standard Webhooks 1.0 has it with `signingKey`. The switches `isFeedHooks`, `isViewerConnectionHooks`, `isRecordingHooks`, `isMediaHooks` and `isClipHooks` stand for events.',
    body: createWebhook,
    response: successOf(webhookBody),
    errors: { ...addressErrors, 409: ['webhooks_full'] },
  },
  get: {
    ...common,
    method: 'get',
    path: `${path}/{id}`,
    id: 'getWebhook',
    summary: 'Show one webhook',
    params,
    response: successOf(webhookBody),
    errors,
  },
  update: {
    ...common,
    method: 'put',
    path: `${path}/{id}`,
    id: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Absent fields stay as they are. `isActive: false` drops what waits; `isActive: true` or `reEnable` enables a webhook again. `refreshSecret` replaces the key as `rotate` does.',
    params,
    body: updateWebhook,
    response: successOf(webhookBody),
    errors: { ...addressErrors, ...errors },
  },
  remove: {
    ...common,
    method: 'delete',
    path: `${path}/{id}`,
    id: 'deleteWebhook',
    summary: 'Remove a webhook, with the log of its deliveries',
    description: 'The answer is the webhook as it was.',
    params,
    response: successOf(webhookBody),
    errors,
  },
  rotate: {
    ...common,
    method: 'post',
    path: `${path}/{id}/rotate`,
    id: 'rotateWebhookKey',
    summary: 'Replace the signing key of a webhook',
    description: 'For `oldKeyExpires` seconds, calls carry a signature of the old key too.',
    params,
    body: rotateWebhookKey,
    response: successOf(webhookBody),
    errors,
  },
  test: {
    ...common,
    method: 'post',
    path: `${path}/{id}/test`,
    id: 'testWebhook',
    summary: 'Send an event of the type `webhook.test`',
    description: 'The answer is the delivery before its call; its end is in the log. It is not tried again.',
    params,
    response: successOf(webhookDeliveryBody),
    errors: { ...errors, ...askedForErrors },
  },
  deliveries: {
    ...common,
    method: 'get',
    path: `${path}/{id}/deliveries`,
    id: 'listWebhookDeliveries',
    isHeavy: true,
    summary: 'List what was sent to a webhook in the last seven days, and what waits',
    description: 'The newest first.',
    params,
    query: webhookDeliveriesQuery,
    response: webhookDeliveryList,
    errors,
  },
  replay: {
    ...common,
    method: 'post',
    path: `${path}/{id}/deliveries/{deliveryId}/replay`,
    id: 'replayWebhookDelivery',
    summary: 'Send an event once more, with the same `webhook-id`',
    params: z.object({ id: webhookId, deliveryId: webhookId }),
    response: successOf(webhookDeliveryBody),
    errors: { 404: [...notFound, 'webhook_delivery_not_found'], ...askedForErrors },
  },
});
