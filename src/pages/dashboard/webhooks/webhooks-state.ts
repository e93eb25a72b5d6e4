import type { ManagementClient } from '../../../management/management-client.js';
import type { WebhookBody, WebhookDeliveryBody } from '../../../wire/management/webhook.js';
import type { WebhookEventType } from '../../../wire/webhook-event.js';
import { readPage, type ListPage } from '../page-buttons.js';
import { readView, type PageView } from '../page-view.js';

const ITEMS_ON_PAGE = 20;

export interface DeliveryLog extends ListPage {
  readonly webhook: WebhookBody;
  readonly deliveries: readonly WebhookDeliveryBody[];
}

export interface WebhooksContent {
  readonly webhooks: readonly WebhookBody[];
  /** Undefined: the person looks at the list. */
  readonly log: DeliveryLog | undefined;
}

export type WebhooksView = PageView<WebhooksContent>;

/** What a person enters. */
export interface WebhookDraft {
  /** Undefined: the webhook is new. */
  readonly id: number | undefined;
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEventType[];
}

/** Reads and changes the webhooks. Each change throws {@link ManagementError}. */
export class WebhooksState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: WebhooksView) => void;
  /** The log that the person looks at. */
  #log: { readonly id: number; readonly page: number } | undefined;
  #reads = 0;

  constructor(client: ManagementClient, onChange: (view: WebhooksView) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  async load(): Promise<void> {
    const read = (this.#reads += 1);
    const view = await readView(async () => {
      const webhooks = await this.#client.webhooks.list();
      return { webhooks, log: await this.#readLog(webhooks) };
    });
    // A later read has a newer answer.
    if (read === this.#reads) this.#onChange(view);
  }

  /** @param id undefined: shows the list */
  async showLog(id: number | undefined, page = 1): Promise<void> {
    this.#log = id === undefined ? undefined : { id, page };
    await this.load();
  }

  async save({ id, ...fields }: WebhookDraft): Promise<WebhookBody> {
    const body = { ...fields, url: fields.url.trim(), events: [...fields.events] };
    const { webhooks } = this.#client;
    const saved = id === undefined ? await webhooks.create(body) : await webhooks.update(id, body);
    await this.load();
    return saved;
  }

  async setActive(id: number, isActive: boolean): Promise<void> {
    await this.#client.webhooks.update(id, { isActive });
    await this.load();
  }

  async rotate(id: number): Promise<WebhookBody> {
    const rotated = await this.#client.webhooks.rotate(id);
    await this.load();
    return rotated;
  }

  async remove(id: number): Promise<void> {
    await this.#client.webhooks.remove(id);
    await this.load();
  }

  /** Sends a test, and shows the log that has its end. */
  async test(id: number): Promise<void> {
    await this.#client.webhooks.test(id);
    await this.showLog(id);
  }

  async replay({ webhook }: DeliveryLog, delivery: number): Promise<void> {
    await this.#client.webhooks.replay(webhook.id, delivery);
    await this.showLog(webhook.id);
  }

  async #readLog(webhooks: readonly WebhookBody[]): Promise<DeliveryLog | undefined> {
    const wanted = this.#log;
    const webhook = webhooks.find(({ id }) => id === wanted?.id);
    if (!wanted || !webhook) return undefined;
    const { id, page } = wanted;
    const list = await readPage(page, ITEMS_ON_PAGE, (turned) =>
      this.#client.webhooks.deliveries(id, { page: turned, itemsOnPage: ITEMS_ON_PAGE }),
    );
    return { webhook, ...list };
  }
}
