import { ALLOW, deny, type Rule } from './rule.js';

/** No other session publishes under the name: a later broadcast never takes over an earlier one. */
export const nameFree: Rule = {
  name: 'name-free',
  decide: ({ stream }) => (stream.taken ? deny('stream_in_use') : ALLOW),
  looksAt: ({ streamName, stream }) => ({ streamName, taken: stream.taken }),
};
