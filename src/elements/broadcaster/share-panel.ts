import type { BroadcasterWords } from '../words/words.js';
import { h, type View } from './view.js';

/**
 * A link for viewers and the code of a frame, as the page's owner gave the link: nothing is added to it.
 *
 * @param copied which of them was copied last
 */
export function sharePanel(
  words: BroadcasterWords,
  viewerUrl: string,
  copied: string,
  copy: (value: string) => void,
): View | undefined {
  const link = webAddress(viewerUrl);
  if (!link) return undefined;
  const field = (label: string, value: string): View =>
    h(
      'label',
      { class: 'choice' },
      label,
      h('input', { readonly: true, value, onfocus: ({ target }: Event) => (target as HTMLInputElement).select() }),
    );
  const button = (label: string, value: string): View =>
    h(
      'button',
      { part: 'button', class: 'text', 'aria-label': `${words.copy}: ${label}`, onclick: () => copy(value) },
      copied === value ? words.copied : words.copy,
    );
  const code = frameCode(link);
  return h(
    'details',
    { part: 'share' },
    h('summary', {}, words.share),
    h(
      'div',
      { class: 'fields share' },
      field(words.viewerLink, link),
      button(words.viewerLink, link),
      field(words.embedCode, code),
      button(words.embedCode, code),
      h('slot', { name: 'share' }),
    ),
    h('span', { class: 'told', role: 'status' }, copied && words.copied),
  );
}

/** Undefined where it is none: a link that runs script is not for passing on. */
export function webAddress(url: string): string | undefined {
  if (!url || !URL.canParse(url, document.baseURI)) return undefined;
  const { protocol, href } = new URL(url, document.baseURI);
  return /^https?:$/.test(protocol) ? href : undefined;
}

/** The address holds no quotes or angle brackets: `URL` has written them as percent codes, in its fragment too. */
export function frameCode(link: string): string {
  const address = link.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
  return `<iframe src="${address}" allow="autoplay; fullscreen; picture-in-picture" width="640" height="360"></iframe>`;
}
