export { namesOf, readStreamId, streamIdOf, type StreamId, type StreamNames } from '../../src/wire/stream-id.js';
