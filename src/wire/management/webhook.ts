import * as z from 'zod/mini';
import { label } from '../text.js';
import { webhookEventType, type WebhookEventType } from '../webhook-event.js';
import { pageAnswer, paging } from './paging.js';
import { tokenId } from './token.js';
import { unsupportedHooks } from './unsupported-field.js';

/** The most webhooks of an account. */
export const MAX_WEBHOOKS = 20;

/** Of a webhook, or of a delivery, in a path. */
export const webhookId = tokenId;

const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).check(
  z.maxLength(2_048),
  z.refine((text) => !URL.canParse(text) || isPlain(new URL(text)), 'must have no user name and no password'),
);

function isPlain({ username, password }: URL): boolean {
  return username === '' && password === '';
}

const events = z.array(webhookEventType).check(
  z.maxLength(webhookEventType.options.length),
  z.refine<WebhookEventType[]>((list) => new Set(list).size === list.length, 'must not name an event twice'),
);
const description = label(128);

/** Events under the names of the existing service. A switch that is set adds or removes its events. */
const SWITCHES = {
  isFeedHooks: ['stream.started', 'stream.ended'],
  isViewerConnectionHooks: ['stream.first_viewer', 'stream.no_viewers'],
  isRecordingHooks: ['recording.ready'],
  isMediaHooks: ['recording.ready'],
  isClipHooks: ['recording.ready'],
} as const satisfies Readonly<Record<string, readonly WebhookEventType[]>>;

type Switch = keyof typeof SWITCHES;
const switchNames = Object.keys(SWITCHES) as readonly Switch[];
const onOff = z.optional(z.boolean());
const switches = {
  isFeedHooks: onOff,
  isViewerConnectionHooks: onOff,
  isRecordingHooks: onOff,
  isMediaHooks: onOff,
  isClipHooks: onOff,
  ...unsupportedHooks,
};

/** The events that `events` and the switches of the existing service name together. Undefined: none of them is set. */
export function chosenEvents(
  {
    events: named,
    ...set
  }: { readonly events?: readonly WebhookEventType[] | undefined } & Partial<Record<Switch, boolean | undefined>>,
  before: readonly WebhookEventType[],
): readonly WebhookEventType[] | undefined {
  const given = switchNames.filter((name) => set[name] !== undefined);
  if (named === undefined && given.length === 0) return undefined;
  const chosen = new Set<WebhookEventType>(named ?? before);
  // First those that are off: three switches stand for the same event.
  for (const name of given) if (!set[name]) for (const type of SWITCHES[name]) chosen.delete(type);
  for (const name of given) if (set[name]) for (const type of SWITCHES[name]) chosen.add(type);
  return webhookEventType.options.filter((type) => chosen.has(type));
}

/** The switches of the existing service as they are for these events. */
export function switchesOf(chosen: readonly WebhookEventType[]) {
  const isOn = (name: Switch) => SWITCHES[name].every((type) => chosen.includes(type));
  return {
    isFeedHooks: isOn('isFeedHooks'),
    isViewerConnectionHooks: isOn('isViewerConnectionHooks'),
    isRecordingHooks: isOn('isRecordingHooks'),
    isMediaHooks: isOn('isMediaHooks'),
    isClipHooks: isOn('isClipHooks'),
    isThumbnailHooks: false,
    isTranscoderHooks: false,
  };
}

export const createWebhook = z.strictObject({
  url,
  description: z.optional(description),
  events: z.optional(events),
  ...switches,
});

/** Absent fields stay as they are. `refreshSecret` and `reEnable` are those of the existing service. */
export const updateWebhook = z
  .strictObject({
    url: z.optional(url),
    description: z.optional(description),
    events: z.optional(events),
    ...switches,
    isActive: z.optional(z.boolean()),
    reEnable: z.optional(z.boolean()),
    refreshSecret: z.optional(z.boolean()),
  })
  .check(z.refine<object>((change) => Object.keys(change).length > 0, 'names no field to change'));

/** `oldKeyExpires`: for how many seconds calls are signed with the old key too, up to 30 days. */
export const rotateWebhookKey = z.strictObject({
  oldKeyExpires: z._default(z.int().check(z.gte(0), z.lte(2_592_000)), 86_400),
});

export type CreateWebhook = z.infer<typeof createWebhook>;
export type UpdateWebhook = z.infer<typeof updateWebhook>;
export type RotateWebhookKeyInput = z.input<typeof rotateWebhookKey>;

/** The query of `GET /api/webhooks/list`, as the existing service has it. `startingId`: the first id of the answer. */
export const webhookListQuery = z.strictObject({
  startingId: z.optional(z.string().check(z.regex(/^\d{1,9}$/, 'must be a whole number'))),
  itemCount: paging.itemsOnPage,
  isDescending: z._default(z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }), false),
});

export type WebhookListQuery = z.infer<typeof webhookListQuery>;

/** A webhook in an answer. Times are ISO 8601, UTC. */
export const webhookBody = z.looseObject({
  id: z.int(),
  url: z.string(),
  description: z.string(),
  /** `webhookEventType`. A later server may send other values. */
  events: z.array(z.string()),
  /** `whsec_…`, as Standard Webhooks has it. Empty: it cannot be read. */
  signingKey: z.string(),
  /** The same without `whsec_`, as the existing service has it. */
  secret: z.string(),
  /** Until then calls are signed with the old key too. Null: there is one key. */
  oldKeyExpiresOn: z.nullable(z.string()),
  isActive: z.boolean(),
  /** Why nothing is sent: `owner`, or `gone` if the receiver answered 410. Null: it is active. */
  disabled: z.nullable(z.looseObject({ reason: z.string(), on: z.string(), until: z.nullable(z.string()) })),
  /** What is stored of it cannot be read, and nothing is sent: `webhook_key_unreadable` or `stored_row_unreadable`. */
  fault: z.optional(z.nullable(z.looseObject({ code: z.string(), message: z.string() }))),
  isFeedHooks: z.boolean(),
  isViewerConnectionHooks: z.boolean(),
  isRecordingHooks: z.boolean(),
  isMediaHooks: z.boolean(),
  isClipHooks: z.boolean(),
  isThumbnailHooks: z.boolean(),
  isTranscoderHooks: z.boolean(),
  createdOn: z.string(),
  updatedOn: z.string(),
});

export type WebhookBody = z.infer<typeof webhookBody>;

/** Answer of `GET /api/webhooks/list`. */
export const webhookList = z.object({ status: z.literal('success'), data: z.array(webhookBody) });

/** `waiting`: for the first call, or for another one. `failed`: no further call is made. `dropped`: as the webhook was disabled. */
export const deliveryState = z.enum(['waiting', 'delivered', 'failed', 'dropped']);

export type DeliveryState = z.infer<typeof deliveryState>;

/** Why a call failed. `status`: the receiver answered with another status than 2xx. */
export const callFault = z.enum([
  'status',
  'redirected',
  'timed_out',
  'address_refused',
  'name_unknown',
  'tls_broken',
  'unreachable',
]);

export type CallFault = z.infer<typeof callFault>;

/** The query of `GET /api/webhooks/{id}/deliveries`. */
export const webhookDeliveriesQuery = z.strictObject({ ...paging, state: z.optional(deliveryState) });

export type WebhookDeliveriesQuery = z.infer<typeof webhookDeliveriesQuery>;

/** One event for one webhook. Times are ISO 8601, UTC. */
export const webhookDeliveryBody = z.looseObject({
  id: z.int(),
  /** The header `webhook-id` of its calls. A replay has the same. */
  eventId: z.string(),
  type: z.string(),
  /** `deliveryState` */
  state: z.string(),
  attempts: z.int(),
  createdOn: z.string(),
  /** Null: no further call is made. */
  nextAttemptOn: z.nullable(z.string()),
  /** Of the last call, as the fields below. Null: there was none. */
  lastAttemptOn: z.nullable(z.string()),
  lastStatus: z.nullable(z.int()),
  /** `callFault`. Null: it did not fail. */
  lastFault: z.nullable(z.string()),
  lastDurationMs: z.nullable(z.int()),
  /** The body of its calls. */
  payload: z.string(),
});

export type WebhookDeliveryBody = z.infer<typeof webhookDeliveryBody>;

/** Answer of `GET /api/webhooks/{id}/deliveries`, the newest first. */
export const webhookDeliveryList = z.object({
  status: z.literal('success'),
  data: z.array(webhookDeliveryBody),
  ...pageAnswer,
});
