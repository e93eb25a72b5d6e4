import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { languages, resolveLanguage } from './languages.js';
import type { Messages } from './messages.js';

type Host = ReactiveControllerHost & Element & { readonly messages: Partial<Messages> };

/** Hosts on the page: asked to update when a language comes, or one is set somewhere. */
const hosts = new Set<ReactiveControllerHost>();
let observer: MutationObserver | undefined;
const updateAll = (): void => hosts.forEach((host) => host.requestUpdate());

/**
 * Gives a host the words of the language around it: that of its own `lang`, or of what it stands in; where the page
 * names none, that of the person's browser. The host's `words` go before all.
 */
export class MessagesController<Spoke extends Partial<Messages>> implements ReactiveController {
  readonly #host: Host;
  readonly #english: Spoke;
  /** What `current` was made of. */
  #made: readonly unknown[] = [];

  /** What to say now. */
  current: Spoke;
  /** The language of `current`, for the `lang` of what shows it. */
  lang = 'en';
  #locale = 'en';

  constructor(host: Host, english: Spoke) {
    this.#host = host;
    this.#english = this.current = english;
    host.addController(this);
  }

  /** `1,234`, as the reader writes it. With options: `12 ms`, `5%`. */
  number(value: number, options?: Intl.NumberFormatOptions): string {
    return new Intl.NumberFormat(this.#locale, options).format(value);
  }

  hostConnected(): void {
    hosts.add(this.#host);
    if (observer) return;
    observer = new MutationObserver(updateAll);
    observer.observe(document, { subtree: true, attributeFilter: ['lang'] });
    languages.target.addEventListener('change', updateAll);
  }

  hostDisconnected(): void {
    hosts.delete(this.#host);
    if (hosts.size > 0) return;
    observer?.disconnect();
    observer = undefined;
    languages.target.removeEventListener('change', updateAll);
  }

  hostUpdate(): void {
    const { lang, numbers, layers } = resolveLanguage(wantedLanguages(this.#host));
    const made = [lang, numbers, ...layers, this.#host.messages];
    if (made.length === this.#made.length && made.every((part, index) => part === this.#made[index])) return;
    this.#made = made;
    this.current = Object.assign({}, this.#english, ...layers, this.#host.messages) as Spoke;
    this.lang = lang;
    this.#locale = numbers;
  }
}

/** `lang=""` says that the language is not known (HTML 3.2.6.2), as none at all does. */
function wantedLanguages(element: Element): readonly string[] {
  const lang = languageAround(element);
  return lang ? [lang] : navigator.languages;
}

function languageAround(element: Element): string | null {
  const found = element.closest('[lang]');
  if (found) return found.getAttribute('lang');
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? languageAround(root.host) : null;
}
