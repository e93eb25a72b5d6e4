'use client';
import '../define/stream-broadcaster.js';
import { StreamBroadcasterElement } from '../elements/broadcaster/stream-broadcaster-element.js';
import type { BroadcasterEvent } from '../markup/tag-events.js';
import { component } from './component.js';
import type { Handlers, Props, TagProps } from './props.js';

const EVENTS = {
  onStreamLive: 'stream-live',
  onStreamEnded: 'stream-ended',
  onStreamRejected: 'stream-rejected',
  onStreamError: 'stream-error',
  onCaptureError: 'capture-error',
  onViewerCount: 'viewer-count',
} as const satisfies Handlers<BroadcasterEvent>;

export type StreamBroadcasterProps = Props<StreamBroadcasterElement, typeof EVENTS>;

/** `<stream-broadcaster>` as a component. */
export const StreamBroadcaster = component({
  tag: 'stream-broadcaster',
  elementClass: StreamBroadcasterElement,
  events: EVENTS,
});

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'stream-broadcaster': TagProps<StreamBroadcasterElement, typeof EVENTS>;
    }
  }
}
