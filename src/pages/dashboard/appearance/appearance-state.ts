import type { ManagementClient } from '../../../management/management-client.js';
import type { ThemeBody, UpdateTheme } from '../../../wire/management/theme.js';
import { readView, type PageView } from '../page-view.js';

/** What a person has entered. Empty: as the product. */
export interface ThemeDraft {
  readonly name: string;
  readonly accent: string;
  readonly background: string;
}

export interface AppearanceContent {
  readonly theme: ThemeBody;
}

export type AppearanceView = PageView<AppearanceContent>;

/** Reads and changes the theme of the account. Each change throws {@link ManagementError}. */
export class AppearanceState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: AppearanceView) => void;
  #reads = 0;

  constructor(client: ManagementClient, onChange: (view: AppearanceView) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  async load(): Promise<void> {
    const read = (this.#reads += 1);
    this.#onChange({ name: 'loading' });
    const view = await readView(async () => ({ theme: await this.#client.theme.get() }));
    // A later read has a newer answer.
    if (read === this.#reads) this.#onChange(view);
  }

  async save(change: UpdateTheme): Promise<ThemeBody> {
    const theme = await this.#client.theme.update(change);
    this.#onChange({ name: 'ready', theme });
    return theme;
  }

  async reset(): Promise<ThemeBody> {
    await this.#client.theme.reset();
    return await this.#read();
  }

  async #read(): Promise<ThemeBody> {
    const theme = await this.#client.theme.get();
    this.#onChange({ name: 'ready', theme });
    return theme;
  }
}

export function draftOf({ name, accent, background }: ThemeBody): ThemeDraft {
  return { name: name ?? '', accent: accent ?? '', background: background ?? '' };
}

/** What the server is asked to save. */
export function changeOf({ name, accent, background }: ThemeDraft): UpdateTheme {
  const given = (text: string): string | null => text.trim() || null;
  return { name: given(name), accent: given(accent), background: given(background) };
}
