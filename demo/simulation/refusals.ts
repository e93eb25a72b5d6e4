import { ruleRefusalCode } from '../../src/wire/director/refusal-code.js';

/** Viewers wait for a stream that is not live, and only broadcasters can find it in use. */
const OF_ONE_SIDE: ReadonlySet<string> = new Set(['stream_not_live', 'stream_in_use']);
const ofBoth: readonly string[] = ruleRefusalCode.options.filter((code) => !OF_ONE_SIDE.has(code));

/** The refusals that each tag can show. */
export const refusals = {
  'stream-viewer': [...ofBoth, 'no_common_codec', 'an_unknown_code'],
  'stream-broadcaster': [
    ...ofBoth,
    'stream_in_use',
    'replaced',
    'stopped_by_owner',
    'no_common_codec',
    'an_unknown_code',
  ],
} as const;
