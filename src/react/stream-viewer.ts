'use client';
import '../define/stream-viewer.js';
import { StreamViewerElement } from '../elements/viewer/stream-viewer-element.js';
import type { ViewerEvent } from '../markup/tag-events.js';
import { component } from './component.js';
import type { Handlers, Props, TagProps } from './props.js';

/** Those of a `<video>` are spelt as React spells them. */
const EVENTS = {
  onStreamLive: 'stream-live',
  onStreamEnded: 'stream-ended',
  onStreamWaiting: 'stream-waiting',
  onStreamRejected: 'stream-rejected',
  onStreamError: 'stream-error',
  onViewerCount: 'viewer-count',
  onPlay: 'play',
  onPause: 'pause',
  onPlaying: 'playing',
  onWaiting: 'waiting',
  onStalled: 'stalled',
  onProgress: 'progress',
  onTimeUpdate: 'timeupdate',
  onVolumeChange: 'volumechange',
  onRateChange: 'ratechange',
  onResize: 'resize',
  onDurationChange: 'durationchange',
  onLoadStart: 'loadstart',
  onLoadedMetadata: 'loadedmetadata',
  onLoadedData: 'loadeddata',
  onCanPlay: 'canplay',
  onCanPlayThrough: 'canplaythrough',
  onEmptied: 'emptied',
  onError: 'error',
  onEnterPictureInPicture: 'enterpictureinpicture',
  onLeavePictureInPicture: 'leavepictureinpicture',
} as const satisfies Handlers<ViewerEvent>;

export type StreamViewerProps = Props<StreamViewerElement, typeof EVENTS>;

/** `<stream-viewer>` as a component. */
export const StreamViewer = component({
  tag: 'stream-viewer',
  elementClass: StreamViewerElement,
  events: EVENTS,
  inBrowsers: ['muted', 'volume', 'currentTime', 'playbackRate', 'disablePictureInPicture', 'disableRemotePlayback'],
});

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'stream-viewer': TagProps<StreamViewerElement, typeof EVENTS>;
    }
  }
}
