'use client';
import '../define/stream-viewer.js';
import { StreamViewerElement } from '../elements/viewer/stream-viewer-element.js';
import { component } from './component.js';
import type { Props, TagProps } from './props.js';

const EVENTS = [
  'stream-live',
  'stream-ended',
  'stream-waiting',
  'stream-rejected',
  'stream-error',
  'viewer-count',
] as const;

export type StreamViewerProps = Props<StreamViewerElement, (typeof EVENTS)[number]>;

/** `<stream-viewer>` as a component. */
export const StreamViewer = component(StreamViewerElement, 'stream-viewer', EVENTS);

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'stream-viewer': TagProps<StreamViewerElement, (typeof EVENTS)[number]>;
    }
  }
}
