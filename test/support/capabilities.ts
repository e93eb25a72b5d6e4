/** What Firefox cannot do, at least without devices. docs/browsers.md gives the reasons. */
export const NOT_IN_FIREFOX = ['camera-that-resizes', 'audio-output', 'renewal-of-a-path', 'touch'] as const;

/** What WebKitGTK cannot do, with a stand-in for its missing WebRTC. docs/browsers.md gives the reasons. */
export const NOT_IN_WEBKIT = [
  'camera-that-resizes',
  'audio-output',
  'touch',
  'webrtc',
  'received-sound',
  'focus-visible-by-script',
] as const;

export type Capability = (typeof NOT_IN_FIREFOX)[number] | (typeof NOT_IN_WEBKIT)[number];

/** `it` for a test that needs this capability. Browsers without it list the test as skipped. Chromium has all. */
export function itNeeds(capability: Capability): Mocha.TestFunction | Mocha.PendingTestFunction {
  const { userAgent } = navigator;
  const lacks: readonly Capability[] = userAgent.includes('Firefox/')
    ? NOT_IN_FIREFOX
    : userAgent.includes('Chrome/')
      ? []
      : NOT_IN_WEBKIT;
  return lacks.includes(capability) ? it.skip : it;
}
