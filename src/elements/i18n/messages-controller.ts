import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { languages, resolveLanguage } from './languages.js';
import type { Messages } from './messages.js';

type Host = ReactiveControllerHost & Element & { readonly messages: Partial<Messages> };

/** All hosts on the page. They update when a language is registered or a `lang` attribute changes. */
const hosts = new Set<ReactiveControllerHost>();
let observer: MutationObserver | undefined;
const updateAll = (): void => hosts.forEach((host) => host.requestUpdate());

/**
 * Provides the messages of a host, in the language of the nearest `lang` attribute or, without one, of the browser. The
 * property `messages` of the host has precedence.
 */
export class MessagesController<Own extends Partial<Messages>> implements ReactiveController {
  readonly #host: Host;
  readonly #english: Own;
  /** The values from which `current` was composed. */
  #parts: readonly unknown[] = [];

  /** The messages to show now. */
  current: Own;
  /** Language of `current`, for the `lang` of the element that shows it. */
  lang = 'en';
  #locale = 'en';

  constructor(host: Host, english: Own) {
    this.#host = host;
    this.#english = this.current = english;
    host.addController(this);
  }

  /** A number in the language of the visitor: `1,234`; with options `12 ms`, `5%`. */
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
    const parts = [lang, numbers, ...layers, this.#host.messages];
    if (parts.length === this.#parts.length && parts.every((part, index) => part === this.#parts[index])) return;
    this.#parts = parts;
    this.current = Object.assign({}, this.#english, ...layers, this.#host.messages) as Own;
    this.lang = lang;
    this.#locale = numbers;
  }
}

/** `lang=""` means that the language is unknown (HTML 3.2.6.2), as without the attribute. */
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
