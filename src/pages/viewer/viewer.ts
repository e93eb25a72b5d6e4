import { Viewer } from '../../client/viewer/viewer.js';
import '../../define/stream-viewer.js';
import { provideViewer } from '../../elements/viewer/lazy-viewer.js';
import { readViewerAddress, withTokenHidden, type ViewerAddress } from '../address.js';
import { speakAs, teachTag, visitorLanguage, withoutRegion } from '../visitor-language.js';
import { noticeMessages } from './notice-messages.js';
import { bridgeToParent } from './frame-bridge.js';
import { readPlayerOptions } from './player-options.js';

provideViewer(Viewer);
const url = new URL(location.href);
const language = visitorLanguage(url);
const address = readViewerAddress(url);
document.querySelector('#page')!.append(...(address ? player(address) : notice()));

function player({ accountId, streamName, token }: ViewerAddress): readonly Element[] {
  document.title = `${streamName} · live`;
  if (token) history.replaceState(null, '', withTokenHidden(url, token));
  const { hiddenParts, ...options } = readPlayerOptions(url);
  if (hiddenParts.length > 0) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(hiddenParts.map((part) => `stream-viewer::part(${part}) { display: none }`).join('\n'));
    document.adoptedStyleSheets.push(sheet);
  }
  teachTag(language);
  const viewer = document.createElement('stream-viewer');
  Object.assign(viewer, { lang: language, accountId, streamName, token, ...options });
  bridgeToParent(viewer, url);
  // Named, not written: the first text of a page makes the browser look for a font, just when the picture is on its way.
  const title = Object.assign(document.createElement('h1'), { ariaLabel: streamName });
  return [title, viewer];
}

function notice(): readonly Element[] {
  speakAs(language);
  const [title, missing, next] = noticeMessages[withoutRegion(language)]!;
  const box = document.createElement('div');
  box.className = 'notice';
  const say = (tag: string, textContent: string, options: Partial<HTMLElement> = {}): void =>
    box.append(Object.assign(document.createElement(tag), { textContent, ...options }));
  say('h1', title);
  say('p', missing, { className: 'soft' });
  say('code', `${location.origin}/viewer?streamId=ACCOUNT/NAME`, { dir: 'ltr' });
  say('p', next, { className: 'soft' });
  return [box];
}
