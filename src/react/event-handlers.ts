// Generated from the classes of the tags by `npm run generate`. Do not edit.

/** The events of `<stream-broadcaster>`, by the names of their handlers. */
export const STREAM_BROADCASTER_HANDLERS = {
  onStreamPhaseChange: 'stream-phase-change',
  onStreamLive: 'stream-live',
  onStreamEnded: 'stream-ended',
  onStreamRejected: 'stream-rejected',
  onStreamError: 'stream-error',
  onStreamCaptureError: 'stream-capture-error',
  onStreamViewerCount: 'stream-viewer-count',
} as const;

/** The events of `<stream-viewer>`, by the names of their handlers. */
export const STREAM_VIEWER_HANDLERS = {
  onStreamPhaseChange: 'stream-phase-change',
  onStreamLive: 'stream-live',
  onStreamEnded: 'stream-ended',
  onStreamWaiting: 'stream-waiting',
  onStreamRejected: 'stream-rejected',
  onStreamError: 'stream-error',
  onStreamViewerCount: 'stream-viewer-count',
  onStreamSourcesChange: 'stream-sources-change',
  onStreamLayersChange: 'stream-layers-change',
  onPlay: 'play',
  onPause: 'pause',
  onEnded: 'ended',
  onError: 'error',
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
  onEnterPictureInPicture: 'enterpictureinpicture',
  onLeavePictureInPicture: 'leavepictureinpicture',
} as const;
