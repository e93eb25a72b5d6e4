import {
  createWebhook,
  rotateWebhookKey,
  updateWebhook,
  webhookDeliveriesQuery,
  webhookId,
  type WebhookBody,
  type WebhookDeliveryBody,
} from '../../../src/wire/management/webhook.js';
import { parse } from '../../http/request/parse.js';
import type { CliCommand, CommandInvocation, CommandOptions, CommandResult, OptionValues } from '../command.js';
import { callManagement } from '../management/management-calls.js';
import { faultColumn, faultNote } from '../management/row-faults.js';
import { withoutUndefined } from './token-options.js';

const FIELDS: CommandOptions = {
  event: { value: 'EVENT', multiple: true, description: 'an event to send, such as stream.started; repeat for more' },
  description: { value: 'TEXT', description: 'up to 128 characters' },
};

export const webhookListCommand: CliCommand = {
  name: 'webhook list',
  summary: 'list the webhooks',
  takesAccount: true,
  async run(invocation) {
    const webhooks = await callManagement(invocation, (client) => client.webhooks.list());
    const note = faultNote(webhooks, ({ id }) => String(id));
    return { data: { webhooks: webhooks.map(withoutKeys) }, text: webhooks.map(lineOf).join('\n'), ...note };
  },
};

export const webhookShowCommand: CliCommand = {
  name: 'webhook show',
  summary: 'show one webhook, with its signing key',
  operands: ['ID'],
  takesAccount: true,
  async run(invocation) {
    return shown(await callManagement(invocation, (client) => client.webhooks.get(idOf(invocation))));
  },
};

export const webhookAddCommand: CliCommand = {
  name: 'webhook add',
  summary: 'send events to an address, and show the signing key',
  operands: ['URL'],
  takesAccount: true,
  options: { ...FIELDS, event: { ...FIELDS['event']!, required: true } },
  async run(invocation) {
    const fields = parse(createWebhook, { url: invocation.operands[0], ...fieldsOf(invocation.options) });
    return shown(await callManagement(invocation, (client) => client.webhooks.create(fields)));
  },
};

export const webhookChangeCommand: CliCommand = {
  name: 'webhook change',
  summary: 'change the given fields of a webhook',
  operands: ['ID'],
  takesAccount: true,
  options: {
    url: { value: 'URL', description: 'the address of the receiver' },
    ...FIELDS,
    active: { value: 'BOOLEAN', description: 'false: send nothing, and drop what waits; true: send again' },
  },
  async run(invocation) {
    const { options } = invocation;
    const active = options.one('active');
    const isActive = active === undefined ? undefined : active === 'true' ? true : active === 'false' ? false : active;
    const given = withoutUndefined({ url: options.one('url'), isActive, ...fieldsOf(options) });
    const change = parse(updateWebhook, given);
    return shown(await callManagement(invocation, (client) => client.webhooks.update(idOf(invocation), change)));
  },
};

export const webhookRotateCommand: CliCommand = {
  name: 'webhook rotate',
  summary: 'replace the signing key; the old one signs too for a day',
  operands: ['ID'],
  takesAccount: true,
  options: { 'old-expires': { value: 'SECONDS', description: 'for how long the old key signs too' } },
  async run(invocation) {
    const seconds = invocation.options.one('old-expires');
    const given = withoutUndefined({ oldKeyExpires: seconds === undefined ? undefined : Number(seconds) });
    const options = parse(rotateWebhookKey, given);
    return shown(await callManagement(invocation, (client) => client.webhooks.rotate(idOf(invocation), options)));
  },
};

export const webhookTestCommand: CliCommand = {
  name: 'webhook test',
  summary: 'have the server send an event of the type webhook.test',
  operands: ['ID'],
  takesAccount: true,
  async run(invocation) {
    return sent(await callManagement(invocation, (client) => client.webhooks.test(idOf(invocation))));
  },
};

export const webhookDeliveriesCommand: CliCommand = {
  name: 'webhook deliveries',
  summary: 'list what was sent to a webhook, and what waits, the newest first',
  operands: ['ID'],
  takesAccount: true,
  options: {
    state: { choices: ['waiting', 'delivered', 'failed', 'dropped'], description: 'only deliveries in this state' },
    page: { value: 'N', description: 'the page, from 1' },
    items: { value: 'N', description: 'deliveries on a page, up to 100' },
  },
  async run(invocation) {
    const { options } = invocation;
    const given = { state: options.one('state'), page: options.one('page'), itemsOnPage: options.one('items') };
    const query = parse(webhookDeliveriesQuery, withoutUndefined(given));
    const { deliveries, total } = await callManagement(invocation, (client) =>
      client.webhooks.deliveries(idOf(invocation), query),
    );
    const text = deliveries.map(deliveryLine).join('\n');
    return { data: { deliveries, total }, text, note: `${deliveries.length} of ${total}` };
  },
};

export const webhookReplayCommand: CliCommand = {
  name: 'webhook replay',
  summary: 'have the server send an event once more',
  operands: ['ID', 'DELIVERY'],
  takesAccount: true,
  async run(invocation) {
    const delivery = parse(webhookId, invocation.operands[1]);
    return sent(await callManagement(invocation, (client) => client.webhooks.replay(idOf(invocation), delivery)));
  },
};

export const webhookRemoveCommand: CliCommand = {
  name: 'webhook remove',
  summary: 'remove a webhook, with the log of its deliveries',
  operands: ['ID'],
  takesAccount: true,
  async run(invocation) {
    const id = idOf(invocation);
    await callManagement(invocation, (client) => client.webhooks.remove(id));
    return { data: { id, removed: true }, text: 'The webhook was removed.' };
  },
};

function idOf({ operands: [id] }: CommandInvocation): number {
  return parse(webhookId, id);
}

function fieldsOf(options: OptionValues): object {
  return withoutUndefined({ events: options.all('event'), description: options.one('description') });
}

function lineOf(webhook: WebhookBody): string {
  const { id, isActive, url, events } = webhook;
  return [id, isActive ? 'active' : 'disabled', url || '-', events.join(','), ...faultColumn(webhook)].join('\t');
}

/** A list is often kept in logs. */
function withoutKeys(webhook: WebhookBody): object {
  const { signingKey: _, secret: __, ...shownFields } = webhook;
  return shownFields;
}

function shown(webhook: WebhookBody): CommandResult {
  const { id, url, description, events, signingKey, oldKeyExpiresOn, isActive, disabled, fault } = webhook;
  const lines = [
    ['id', id],
    ['url', url || null],
    ['description', description || null],
    ['events', events.join(',') || null],
    ['state', isActive ? 'active' : `disabled: ${disabled?.reason}, ${disabled?.on}`],
    ['fault', fault ? `${fault.code}: ${fault.message}` : null],
    ['signing key', signingKey || null],
    ['old key until', oldKeyExpiresOn],
  ];
  return { data: webhook, text: lines.map(([field, value]) => `${field}\t${value ?? '-'}`).join('\n') };
}

function sent(delivery: WebhookDeliveryBody): CommandResult {
  const text = `The running server sends it as delivery ${delivery.id}; see: webhook deliveries ID`;
  return { data: delivery, text };
}

function deliveryLine(delivery: WebhookDeliveryBody): string {
  const { id, createdOn, type, state, attempts, lastStatus, lastFault, nextAttemptOn } = delivery;
  const outcome = lastFault ?? lastStatus ?? '-';
  return [id, createdOn, type, state, attempts, outcome, nextAttemptOn ?? '-'].join('\t');
}
