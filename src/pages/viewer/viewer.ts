import { Viewer } from '../../client/viewer/viewer.js';
import '../../define/stream-viewer.js';
import { viewerMessages } from '../../elements/i18n/en.js';
import { provideViewer } from '../../elements/viewer/lazy-viewer.js';
import { onOtherToken, readViewerAddress, withTokenHidden, type ViewerAddress } from '../address.js';
import { setPageLanguage, loadTagMessages, visitorLanguage, withoutRegion } from '../visitor-language.js';
import { noticeMessages } from './messages/translations.js';
import { bridgeToParent } from './frame-bridge.js';
import { pageTheme, type PageTheme } from '../page-theme.js';
import { onTagMessages, pageTitle, tagMessages } from '../page-title.js';
import { readPlayerOptions } from './player-options.js';
import { viewerTitle } from './viewer-title.js';

provideViewer(Viewer);
const url = new URL(location.href);
const language = visitorLanguage(url);
const address = readViewerAddress(url);
document.querySelector('#page')!.append(...(address ? player(address) : notice()));

function player({ accountId, streamName, token }: ViewerAddress): readonly Element[] {
  const theme = pageTheme();
  if (token) history.replaceState(null, '', withTokenHidden(url, token));
  const { hiddenParts, ...options } = readPlayerOptions(url);
  if (hiddenParts.length > 0) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(hiddenParts.map((part) => `stream-viewer::part(${part}) { display: none }`).join('\n'));
    document.adoptedStyleSheets.push(sheet);
  }
  loadTagMessages(language);
  const viewer = document.createElement('stream-viewer');
  Object.assign(viewer, { lang: language, accountId, streamName, token, ...options });
  const setTitle = (): void => {
    const word = viewerTitle(viewer.phase, tagMessages(viewerMessages, language));
    document.title = pageTitle(word, streamName, theme.name);
  };
  viewer.addEventListener('stream-phase-change', setTitle);
  onTagMessages(setTitle);
  setTitle();
  bridgeToParent(viewer, url);
  onOtherToken((other) => (viewer.token = other));
  // A label instead of text: text would make the browser load a font, and delay the first picture.
  const title = Object.assign(document.createElement('h1'), { ariaLabel: streamName });
  if (!theme.logoUrl) return [title, viewer];
  viewer.append(Object.assign(logo(theme), { slot: 'audio' }));
  return [title, viewer, Object.assign(logo(theme), { className: 'logo' })];
}

/** In the corner until the stream is live. In the middle while it is sound alone. */
function logo({ name, logoUrl }: PageTheme): HTMLElement {
  return Object.assign(document.createElement('img'), { src: logoUrl, alt: name });
}

function notice(): readonly Element[] {
  setPageLanguage(language);
  const { title, missing, next } = noticeMessages[withoutRegion(language)]!;
  document.title = title;
  const box = document.createElement('div');
  box.className = 'notice';
  const append = (tag: string, textContent: string, options: Partial<HTMLElement> = {}): void =>
    box.append(Object.assign(document.createElement(tag), { textContent, ...options }));
  append('h1', title);
  append('p', missing, { className: 'soft' });
  append('code', `${location.origin}/viewer?streamId=ACCOUNT/NAME`, { dir: 'ltr' });
  append('p', next, { className: 'soft' });
  return [box];
}
