// Generated from the classes of the tags by `npm run generate`. Do not edit.

/** Properties and methods of `HTMLVideoElement` that the tag has too. */
export const VIDEO_MEMBERS = [
  'muted',
  'volume',
  'currentTime',
  'playbackRate',
  'disablePictureInPicture',
  'disableRemotePlayback',
  'duration',
  'readyState',
  'networkState',
  'seeking',
  'seekable',
  'buffered',
  'played',
  'videoWidth',
  'videoHeight',
  'srcObject',
  'textTracks',
  'remote',
  'sinkId',
  'setSinkId',
  'addTextTrack',
  'requestPictureInPicture',
  'requestVideoFrameCallback',
  'cancelVideoFrameCallback',
  'getVideoPlaybackQuality',
] as const;

/** Events of the `<video>` that the tag sends too. */
export const VIDEO_EVENTS = [
  'playing',
  'waiting',
  'stalled',
  'progress',
  'timeupdate',
  'volumechange',
  'ratechange',
  'resize',
  'durationchange',
  'loadstart',
  'loadedmetadata',
  'loadeddata',
  'canplay',
  'canplaythrough',
  'emptied',
  'enterpictureinpicture',
  'leavepictureinpicture',
] as const;

/** Of the members, those that can be set. */
export const SETTABLE_VIDEO_MEMBERS = [
  'muted',
  'volume',
  'currentTime',
  'playbackRate',
  'disablePictureInPicture',
  'disableRemotePlayback',
] as const;
