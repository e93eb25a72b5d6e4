import type { RequestHandler, Router } from 'express';
import { switchesOf, type WebhookBody, type WebhookDeliveryBody } from '../../../src/wire/management/webhook.js';
import type { Delivery } from '../../webhooks/webhook-store.js';
import type { Webhook } from '../../webhooks/webhook.js';
import { faultOfWebhook, type WebhookService } from '../../webhooks/webhook-service.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { webhookEndpoints } from '../endpoints/webhook-endpoints.js';

/** `/api/webhooks` */
export function webhookRoutes(webhooks: WebhookService, accountAccess: RequestHandler): Router {
  return endpointRouter(
    webhookEndpoints,
    {
      list: async ({ accountId, query }) => success((await webhooks.list(accountId, query)).map(webhookBodyOf)),
      create: async ({ accountId, body }) => success(webhookBodyOf(await webhooks.create(accountId, body))),
      get: async ({ accountId, params: { id } }) => success(webhookBodyOf(await webhooks.get(accountId, id))),
      update: async ({ accountId, params: { id }, body }) =>
        success(webhookBodyOf(await webhooks.update(accountId, id, body))),
      remove: async ({ accountId, params: { id } }) => success(webhookBodyOf(await webhooks.remove(accountId, id))),
      rotate: async ({ accountId, params: { id }, body: { oldKeyExpires } }) =>
        success(webhookBodyOf(await webhooks.rotate(accountId, id, oldKeyExpires))),
      test: async ({ accountId, params: { id } }) => success(deliveryBodyOf(await webhooks.test(accountId, id))),
      async deliveries({ accountId, params: { id }, query }) {
        const { deliveries, total } = await webhooks.deliveries(accountId, id, query);
        const { page, itemsOnPage } = query;
        return success(deliveries.map(deliveryBodyOf), { total, page, itemsOnPage });
      },
      replay: async ({ accountId, params: { id, deliveryId } }) =>
        success(deliveryBodyOf(await webhooks.replay(accountId, id, deliveryId))),
    },
    { accountAccess },
  );
}

function webhookBodyOf(webhook: Webhook): WebhookBody {
  const { id, url, description, events, keys, disabled, fault, createdOn, updatedOn } = webhook;
  return {
    id,
    url,
    description,
    events: [...events],
    signingKey: keys ? `whsec_${keys.current}` : '',
    secret: keys ? keys.current : '',
    oldKeyExpiresOn: keys?.old ? isoOf(keys.old.expiresOn) : null,
    isActive: disabled === null,
    disabled: disabled && { reason: disabled.reason, on: isoOf(disabled.on), until: null },
    fault: fault && faultBodyOf(fault),
    ...switchesOf(events),
    createdOn: isoOf(createdOn),
    updatedOn: isoOf(updatedOn),
  };
}

function faultBodyOf(fault: NonNullable<Webhook['fault']>): WebhookBody['fault'] {
  const { code, message } = faultOfWebhook(fault);
  return { code, message };
}

function deliveryBodyOf(delivery: Delivery): WebhookDeliveryBody {
  const { id, eventId, type, state, attempts, createdOn, dueOn, last, payload } = delivery;
  return {
    id,
    eventId,
    type,
    state,
    attempts,
    createdOn: isoOf(createdOn),
    nextAttemptOn: state === 'waiting' ? isoOf(dueOn) : null,
    lastAttemptOn: last && isoOf(last.on),
    lastStatus: last && last.status,
    lastFault: last && last.fault,
    lastDurationMs: last && last.durationMs,
    payload,
  };
}

const isoOf = (time: number): string => new Date(time).toISOString();
