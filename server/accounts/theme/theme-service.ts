import { accentFault, TEXT_CONTRAST } from '../../../src/wire/theme-palette.js';
import { MAX_LOGO_BYTES, type UpdateTheme } from '../../../src/wire/management/theme.js';
import { InvalidRequestError } from '../../errors.js';
import { ExpiringMap } from '../../expiring-map.js';
import { OpenLookUps } from '../open-look-ups.js';
import { MOST_PIXELS, readImageSize } from './image-size.js';
import { logoTypeOf, NO_THEME, type Logo, type Theme } from './theme.js';
import type { ThemeStore } from './theme-store.js';

/** How long the hosted pages of the other servers, and of this one for unknown accounts, show what was before. */
const KNOWN_FOR_MS = 10_000;
const MOST_KNOWN = 500;

/** How the hosted pages of accounts look. */
export class ThemeService {
  readonly #store: ThemeStore;
  readonly #now: () => number;
  readonly #onFault: (error: unknown) => void;
  readonly #known: ExpiringMap<Theme>;
  readonly #lookUps = new OpenLookUps();

  /** @param onFault a page is shown without its theme, because of this error */
  constructor(store: ThemeStore, now: () => number = Date.now, onFault: (error: unknown) => void = () => {}) {
    this.#store = store;
    this.#now = now;
    this.#onFault = onFault;
    this.#known = new ExpiringMap({ capacity: MOST_KNOWN, lifeMs: KNOWN_FOR_MS, now });
  }

  async get(accountId: string): Promise<Theme> {
    return (await this.#store.find(accountId)) ?? NO_THEME;
  }

  /** For the hosted pages, which must be there without the database too: then, and for unknown accounts, no theme. */
  async shown(accountId: string): Promise<Theme> {
    const known = this.#known.get(accountId);
    if (known) return known;
    // Strangers ask for many names: a page without colours is better than one that waits.
    if (this.#lookUps.isFull) return NO_THEME;
    const theme = await this.#lookUps
      .run(() => this.get(accountId))
      .catch((error: unknown) => {
        this.#onFault(error);
        return NO_THEME;
      });
    this.#known.set(accountId, theme);
    return theme;
  }

  /**
   * Changes the given fields; null removes.
   * @throws {InvalidRequestError} `contrast_too_low`, `logo_unreadable`, `logo_too_large`
   */
  async update(accountId: string, { name, accent, background, logo }: UpdateTheme): Promise<Theme> {
    if (accent) checkAccent(accent);
    const theme = await this.#store.update(
      accountId,
      {
        ...(name !== undefined && { name }),
        ...(accent !== undefined && { accent: accent && accent.toLowerCase() }),
        ...(background !== undefined && { background: background && background.toLowerCase() }),
        ...(logo !== undefined && { logo: logo === null ? null : readLogo(logo) }),
      },
      this.#now(),
    );
    this.#known.set(accountId, theme);
    return theme;
  }

  /** The hosted pages look like the product again. */
  async reset(accountId: string): Promise<void> {
    await this.#store.remove(accountId, this.#now());
    this.#known.set(accountId, NO_THEME);
  }
}

function checkAccent(accent: string): void {
  const fault = accentFault(accent);
  if (!fault) return;
  const found = (Math.floor(fault.contrast * 100) / 100).toFixed(2);
  const message = `white text on buttons of the colour ${accent} has a contrast of ${found}, and needs ${TEXT_CONTRAST}; the nearest colour that has it is ${fault.nearest}`;
  throw new InvalidRequestError({ accent: [message] }, { code: 'contrast_too_low' });
}

function readLogo(base64: string): Logo {
  const bytes = Buffer.from(base64, 'base64');
  const type = logoTypeOf(bytes);
  const size = type && bytes.length <= MAX_LOGO_BYTES ? readImageSize(type, bytes) : undefined;
  if (type && size) {
    if (Math.max(size.width, size.height) <= MOST_PIXELS) return { type, bytes };
    const message = `has ${size.width} x ${size.height} pixels, and may have ${MOST_PIXELS} on each side: save it smaller`;
    throw new InvalidRequestError({ logo: [message] }, { code: 'logo_too_large' });
  }
  const message = `must be a PNG, JPEG or WebP image of at most ${MAX_LOGO_BYTES / 1000} kB`;
  throw new InvalidRequestError({ logo: [message] }, { code: 'logo_unreadable' });
}
