import type { HTMLAttributes } from 'svelte/elements';
import type { StreamBroadcasterElement } from '../elements/broadcaster/stream-broadcaster-element.js';
import type { StreamViewerElement } from '../elements/viewer/stream-viewer-element.js';
import type { StreamBroadcasterAttributes, StreamViewerAttributes } from '../markup/attribute-names.js';
import type { StreamBroadcasterEventName, StreamViewerEventName } from '../markup/event-names.js';
import type { Attributes, EventOf, Settable } from '../markup/template-props.js';

type Handlers<Name extends string> = {
  [One in Name as `on${One}`]?: ((event: EventOf<One>) => void) | null | undefined;
};

type Tag<Host extends EventTarget, Names, Name extends string> = Settable<Host> &
  Attributes<Host, Names> &
  Handlers<Name> &
  Omit<HTMLAttributes<Host>, keyof Settable<Host> | keyof Handlers<Name>>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'stream-viewer': Tag<StreamViewerElement, StreamViewerAttributes, StreamViewerEventName>;
    'stream-broadcaster': Tag<StreamBroadcasterElement, StreamBroadcasterAttributes, StreamBroadcasterEventName>;
  }
}
