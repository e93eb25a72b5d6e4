'use client';
import '../define/stream-broadcaster.js';
import { StreamBroadcasterElement } from '../elements/broadcaster/stream-broadcaster-element.js';
import { component } from './component.js';
import type { Props, TagProps } from './props.js';

const EVENTS = ['stream-live', 'stream-ended', 'stream-rejected', 'stream-error', 'viewer-count'] as const;

export type StreamBroadcasterProps = Props<StreamBroadcasterElement, (typeof EVENTS)[number]>;

/** `<stream-broadcaster>` as a component. */
export const StreamBroadcaster = component(StreamBroadcasterElement, 'stream-broadcaster', EVENTS);

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'stream-broadcaster': TagProps<StreamBroadcasterElement, (typeof EVENTS)[number]>;
    }
  }
}
