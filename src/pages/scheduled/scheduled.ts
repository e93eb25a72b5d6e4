import { html, render } from 'lit';
import { Viewer } from '../../client/viewer/viewer.js';
import '../../define/stream-viewer.js';
import { provideViewer } from '../../elements/viewer/lazy-viewer.js';
import { onOtherToken, readScheduledAddress, withTokenHidden } from '../address.js';
import { loadTagMessages, setPageLanguage, visitorLanguage } from '../visitor-language.js';
import { scheduledPageMessages } from './messages/translations.js';
import './scheduled-page.js';

// The code of the player comes with the page, which may be open for days: a newer server no longer has the older files.
provideViewer(Viewer);
const url = new URL(location.href);
const { id, token } = readScheduledAddress(url) ?? { id: '', token: '' };
if (token) history.replaceState(null, '', withTokenHidden(url, token));
const language = visitorLanguage(url);
loadTagMessages(language);
const messages = await scheduledPageMessages(language);
setPageLanguage(language);
const show = (withToken: string): void => {
  render(
    html`<scheduled-page
      .messages=${messages}
      .language=${language}
      .scheduledId=${id}
      .token=${withToken}
    ></scheduled-page>`,
    document.querySelector<HTMLElement>('#page')!,
  );
};
onOtherToken(show);
show(token);
