/** What Firefox cannot, or not on a machine without devices; docs/browsers.md says why. No other browser skips anything. */
export const NOT_IN_FIREFOX = ['camera-that-resizes', 'audio-output', 'renewal-of-a-path', 'touch'] as const;

export type Capability = (typeof NOT_IN_FIREFOX)[number];

/** `it`, for a test that needs this of its browser; in Firefox the test is listed as skipped. */
export function itNeeds(_capability: Capability): Mocha.TestFunction | Mocha.PendingTestFunction {
  return navigator.userAgent.includes('Firefox/') ? it.skip : it;
}
