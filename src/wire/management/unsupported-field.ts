import * as z from 'zod/mini';

/** What an issue of such a field carries in `params`, for the answer's code. */
export const UNSUPPORTED_FIELD = 'unsupported_field';

/**
 * A field of the existing service that this one does not have. It may say what is true here, which changes nothing;
 * anything else is refused, so that nobody believes he has what he has not.
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

/** Nothing is recorded yet. */
export const record = only(false, null);

/** Of both kinds of token, when they are made and when they are changed. */
export const unsupported = {
  originCluster: cluster(),
  allowedCountries: emptyList(),
  deniedCountries: emptyList(),
};

export const unsupportedInUpdate = {
  ...unsupported,
  updateOriginCluster: cluster(),
  updateAllowedCountries: emptyList(),
  updateDeniedCountries: emptyList(),
};

/** Of subscribe tokens, when they are made. */
export const unsupportedTracking = { tracking: only(null) };

/** Of publish tokens. Every stream may have several sources here, and what comes in is never held back to be smoothed. */
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

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isOffCascade(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { isEnabled = false, clusters = [], ...rest }: { isEnabled?: unknown; clusters?: unknown } = value;
  return isEnabled === false && (clusters === null || isEmptyList(clusters)) && Object.keys(rest).length === 0;
}
