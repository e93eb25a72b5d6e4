import * as z from 'zod/mini';

/** The code in the `params` of an issue with such a field. */
export const UNSUPPORTED_FIELD = 'unsupported_field';

/**
 * A field of the existing service that this server does not support. A value that describes what this server does is
 * accepted and changes nothing. Any other value is refused, so that no client relies on a missing feature.
 */
function only(...accepted: readonly (boolean | number | string | null)[]) {
  return field(
    (value) => accepted.some((one) => one === value),
    accepted.map((value) => JSON.stringify(value)).join(' or '),
  );
}

const emptyList = () => field((value) => value === null || isEmptyList(value), '[] or null');

function field(accepts: (value: unknown) => boolean, accepted: string) {
  return z.optional(
    z.unknown().check(
      z.refine(accepts, {
        error: `is not supported by this server, which takes it only as ${accepted}`,
        params: { code: UNSUPPORTED_FIELD },
      }),
    ),
  );
}

const cascade = () =>
  field((value) => value === null || isOffCascade(value), '{"isEnabled":false,"clusters":[]} or null');

const cluster = () => only(null, '');

/** Fields of both kinds of tokens, in creates and updates. */
export const unsupported = {
  originCluster: cluster(),
};

export const unsupportedInUpdate = {
  ...unsupported,
  updateOriginCluster: cluster(),
};

/** Fields of subscribe tokens, in creates. */
export const unsupportedTracking = { tracking: only(null) };

/** Fields of publish tokens. Every stream may have several sources, and incoming media is never buffered. */
export const unsupportedPublishing = {
  clip: only(false, null),
  multisource: only(true, null),
  enableThumbnails: only(false, null),
  displaySrtPassphrase: only(false, null),
  enableUTCInsertion: only(false, null),
  drm: only(false, null),
  lowLatencyRtmp: only(true, null),
  priority: only(0, null),
  encoderProfileId: only('', null),
  geoCascade: cascade(),
  restream: emptyList(),
};

export const unsupportedPublishingInUpdate = {
  ...unsupportedPublishing,
  updateGeoCascade: cascade(),
  updateRestream: emptyList(),
};

/** Events of webhooks that this server does not have. */
export const unsupportedHooks = {
  isThumbnailHooks: only(false, null),
  isTranscoderHooks: only(false, null),
};

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isOffCascade(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { isEnabled = false, clusters = [] }: { isEnabled?: unknown; clusters?: unknown } = value;
  const hasOthers = Object.keys(value).some((key) => key !== 'isEnabled' && key !== 'clusters');
  return isEnabled === false && (clusters === null || isEmptyList(clusters)) && !hasOthers;
}
