import type { ManagementClient } from '../../../management/management-client.js';
import type { ScheduledStreamBody } from '../../../wire/management/schedule.js';
import type { TokenBody } from '../../../wire/management/token.js';
import { stateOf } from '../home/token-view.js';
import { readPage, type ListPage } from '../page-buttons.js';
import { isPrivate } from '../published-stream.js';
import { readView, type PageView } from '../page-view.js';
import { changeOf, creationOf, type ScheduleForm } from './schedule-draft.js';

const ITEMS_ON_PAGE = 20;

export interface StreamList extends ListPage {
  readonly streams: readonly ScheduledStreamBody[];
}

export interface ScheduleContent {
  /** The next one first. */
  readonly upcoming: StreamList;
  /** The last one first. */
  readonly past: StreamList;
}

export type ScheduleView = PageView<ScheduleContent>;

interface Pages {
  readonly upcoming: number;
  readonly past: number;
}

/** Reads and changes the scheduled streams. Each change throws {@link ManagementError}. */
export class ScheduleState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: ScheduleView) => void;
  #pages: Pages = { upcoming: 1, past: 1 };
  #reads = 0;

  constructor(client: ManagementClient, onChange: (view: ScheduleView) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** @param pages to turn to. Absent: the present ones. */
  async load(pages: Partial<Pages> = {}): Promise<void> {
    this.#pages = { ...this.#pages, ...pages };
    const read = (this.#reads += 1);
    const view = await readView(async () => {
      const [upcoming, past] = await Promise.all([this.#list('upcoming'), this.#list('past')]);
      return { upcoming, past };
    });
    // A later read has a newer answer.
    if (read === this.#reads) this.#onChange(view);
  }

  async save(form: ScheduleForm): Promise<void> {
    if (form.id === undefined) await this.#client.schedule.create(creationOf(form.draft));
    else {
      const change = changeOf(form);
      if (Object.keys(change).length > 0) await this.#client.schedule.update(form.id, change);
    }
    await this.load();
  }

  async remove(id: string): Promise<void> {
    await this.#client.schedule.remove(id);
    await this.load();
  }

  async csv(): Promise<string> {
    return await this.#client.schedule.csv();
  }

  /** The subscribe tokens that permit the stream, and that are valid at this time. */
  async tokensFor(streamName: string, time: number): Promise<readonly TokenBody[]> {
    const { tokens } = await this.#client.subscribeTokens.listByName(streamName, { filterBy: 'StreamName' });
    return tokens.filter((token) => stateOf(token, Math.max(time, Date.now())) === 'active');
  }

  /** Whether viewers of the stream need a token. */
  async isPrivate(streamName: string): Promise<boolean> {
    return await isPrivate(this.#client, streamName);
  }

  async #list(which: keyof Pages): Promise<StreamList> {
    const list = await readPage(this.#pages[which], ITEMS_ON_PAGE, (page) =>
      this.#client.schedule.list({ past: which === 'past', page, itemsOnPage: ITEMS_ON_PAGE }),
    );
    this.#pages = { ...this.#pages, [which]: list.page };
    return list;
  }
}
