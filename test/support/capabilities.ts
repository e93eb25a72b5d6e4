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

/**
 * `it` for a test that needs this capability. In browsers without it, the test is skipped under a title from which the
 * reporter reads why. Chromium has all.
 */
export function itNeeds(capability: Capability): (title: string, run: Mocha.Func | Mocha.AsyncFunc) => void {
  const { userAgent } = navigator;
  const lacks: readonly Capability[] = userAgent.includes('Firefox/')
    ? NOT_IN_FIREFOX
    : userAgent.includes('Chrome/')
      ? []
      : NOT_IN_WEBKIT;
  return lacks.includes(capability) ? (title, run) => it.skip(`${title} (needs ${capability})`, run) : it;
}
