// Generated from the classes of the tags by `npm run generate`. Do not edit.

/** The attributes of `<stream-broadcaster>`, with the property that each sets. */
export interface StreamBroadcasterAttributes {
  readonly endpoint: 'endpoint';
  readonly 'account-id': 'accountId';
  readonly 'stream-name': 'streamName';
  readonly 'source-id': 'sourceId';
  readonly token: 'token';
  readonly codec: 'codec';
  readonly simulcast: 'simulcast';
  readonly 'max-bitrate': 'maxBitrate';
  readonly 'viewer-url': 'viewerUrl';
  readonly resolution: 'resolution';
  readonly 'frame-rate': 'frameRate';
  readonly 'no-echo-cancellation': 'echoCancellation';
  readonly 'no-noise-suppression': 'noiseSuppression';
  readonly 'no-auto-gain-control': 'autoGainControl';
  readonly 'no-auto-open': 'noAutoOpen';
  readonly 'microphone-off': 'microphoneEnabled';
  readonly 'camera-off': 'cameraEnabled';
  readonly 'audio-device-id': 'audioDeviceId';
  readonly 'video-device-id': 'videoDeviceId';
}

/** The attributes of `<stream-viewer>`, with the property that each sets. */
export interface StreamViewerAttributes {
  readonly endpoint: 'endpoint';
  readonly 'account-id': 'accountId';
  readonly 'stream-name': 'streamName';
  readonly token: 'token';
  readonly autoplay: 'autoplay';
  readonly controls: 'controls';
  readonly poster: 'poster';
  readonly quality: 'quality';
  readonly audioonly: 'audioOnly';
  readonly muted: 'defaultMuted';
  readonly nohotkeys: 'noHotkeys';
  readonly noautohide: 'noAutohide';
  readonly gesturesdisabled: 'gesturesDisabled';
  readonly noreports: 'noReports';
  readonly dvr: 'dvr';
  readonly pausewhenhidden: 'pauseWhenHidden';
}
