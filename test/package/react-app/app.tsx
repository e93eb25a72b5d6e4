import { StrictMode, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { StreamViewerElement } from '../../../src/elements.js';
import { StreamLiveEvent } from '../../../src/elements/events.js';
import { StreamViewer, type StreamViewerProps } from '../../../src/react.js';

declare global {
  interface Window {
    /** Renders the viewer with these. */
    show(props: StreamViewerProps, children?: string): void;
    /** As the tag would when its stream begins. */
    goLive(): void;
    received: string[];
    /** Hears of its beginning and of its volume, under a name. */
    hearAs(name: string): StreamViewerProps;
    current: StreamViewerElement | null;
    /** What the ref was called with. */
    refs: (string | null)[];
  }
}

const root = createRoot(document.querySelector('#root')!);
window.received = [];
window.refs = [];
const ref = (element: StreamViewerElement | null): void => {
  window.current = element;
  window.refs.push(element && element.localName);
};
window.hearAs = (name) => ({
  onStreamLive: ({ streamName }) => window.received.push(`${name} ${streamName}`),
  onVolumeChange: ({ type }) => window.received.push(`${name} ${type}`),
});

window.show = (props, children) => {
  const slotted: ReactNode = children && <p slot="waiting">{children}</p>;
  flushSync(() =>
    root.render(
      <StrictMode>
        <StreamViewer {...props} ref={ref}>
          {slotted}
        </StreamViewer>
      </StrictMode>,
    ),
  );
};

window.goLive = () => {
  document.querySelector('stream-viewer')!.dispatchEvent(new StreamLiveEvent('keynote'));
};
