'use client';
import '../define/stream-viewer.js';
import { StreamViewerElement } from '../elements/viewer/stream-viewer-element.js';
import { SETTABLE_VIDEO_MEMBERS } from '../elements/viewer/video-members.js';
import type { StreamViewerAttributes } from '../markup/attribute-names.js';
import { component } from './component.js';
import { STREAM_VIEWER_HANDLERS } from './event-handlers.js';
import type { Props, TagProps } from './props.js';

export type StreamViewerProps = Props<StreamViewerElement, typeof STREAM_VIEWER_HANDLERS>;

/** `<stream-viewer>` as a component. */
export const StreamViewer = component({
  tag: 'stream-viewer',
  elementClass: StreamViewerElement,
  events: STREAM_VIEWER_HANDLERS,
  inBrowsers: SETTABLE_VIDEO_MEMBERS,
});

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'stream-viewer': TagProps<StreamViewerElement, StreamViewerAttributes, typeof STREAM_VIEWER_HANDLERS>;
    }
  }
}
