'use client';
import '../define/stream-broadcaster.js';
import { StreamBroadcasterElement } from '../elements/broadcaster/stream-broadcaster-element.js';
import type { StreamBroadcasterAttributes } from '../markup/attribute-names.js';
import { component } from './component.js';
import { STREAM_BROADCASTER_HANDLERS } from './event-handlers.js';
import type { Props, TagProps } from './props.js';

export type StreamBroadcasterProps = Props<StreamBroadcasterElement, typeof STREAM_BROADCASTER_HANDLERS>;

/** `<stream-broadcaster>` as a component. */
export const StreamBroadcaster = component({
  tag: 'stream-broadcaster',
  elementClass: StreamBroadcasterElement,
  events: STREAM_BROADCASTER_HANDLERS,
});

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'stream-broadcaster': TagProps<
        StreamBroadcasterElement,
        StreamBroadcasterAttributes,
        typeof STREAM_BROADCASTER_HANDLERS
      >;
    }
  }
}
