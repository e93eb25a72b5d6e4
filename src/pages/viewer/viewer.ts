import { html, render } from 'lit';
import '../../define/stream-viewer.js';
import { readViewerAddress, withTokenHidden } from '../address.js';
import { visitorLanguage } from '../visitor-language.js';

const page = document.querySelector<HTMLElement>('#page')!;
const url = new URL(location.href);
const address = readViewerAddress(url);

if (address) {
  document.title = `${address.streamName} · live`;
  if (address.token) history.replaceState(null, '', withTokenHidden(url, address.token));
  render(
    // Named, not written: the first text of a page makes the browser look for a font, just when the picture is on its way.
    html`<h1 aria-label=${address.streamName}></h1>
      <stream-viewer
        lang=${visitorLanguage(url)}
        .accountId=${address.accountId}
        .streamName=${address.streamName}
        .token=${address.token}
      ></stream-viewer>`,
    page,
  );
} else {
  render(
    html`<div class="notice">
      <h1>Which stream?</h1>
      <p class="soft">The address of this page names no stream. It should look like this:</p>
      <code>${location.origin}/viewer?streamId=ACCOUNT/NAME</code>
      <p class="soft">Ask whoever sent you here for the whole link.</p>
    </div>`,
    page,
  );
}
