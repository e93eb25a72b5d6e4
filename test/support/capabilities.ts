/** What Firefox cannot do, at least without devices. docs/browsers.md gives the reasons. No other browser skips tests. */
export const NOT_IN_FIREFOX = ['camera-that-resizes', 'audio-output', 'renewal-of-a-path', 'touch'] as const;

export type Capability = (typeof NOT_IN_FIREFOX)[number];

/** `it` for a test that needs this capability. Firefox lists the test as skipped. */
export function itNeeds(_capability: Capability): Mocha.TestFunction | Mocha.PendingTestFunction {
  return navigator.userAgent.includes('Firefox/') ? it.skip : it;
}
