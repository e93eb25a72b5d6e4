import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  parseCommandData,
  projectData,
  publishData,
  renewData,
  selectData,
  unprojectData,
} from '../../../server/signalling/command-data.js';
import { parseFrame, SignallingError } from '../../../server/signalling/frame.js';
import { toProjection } from '../../../server/signalling/viewer-commands.js';
import { viewRequest } from '../../../src/wire/websocket/view-request.js';

const SCHEMAS = { publishData, viewRequest, selectData, projectData, unprojectData, renewData };

/** The fields of all commands, with any value. */
const fields = fc.record(
  {
    sdp: fc.oneof(fc.string(), fc.jsonValue()),
    codec: fc.oneof(fc.constantFrom('h264', 'vp8'), fc.jsonValue()),
    events: fc.jsonValue(),
    sourceId: fc.oneof(fc.string(), fc.jsonValue()),
    priority: fc.jsonValue(),
    record: fc.jsonValue(),
    layer: fc.oneof(
      fc.record({ encodingId: fc.jsonValue(), spatialLayerId: fc.jsonValue(), maxWidth: fc.jsonValue() }),
      fc.jsonValue(),
    ),
    pinnedSourceId: fc.jsonValue(),
    excludedSourceIds: fc.jsonValue(),
    forcePlayoutDelay: fc.oneof(fc.record({ min: fc.jsonValue(), max: fc.jsonValue() }), fc.jsonValue()),
    mapping: fc.oneof(
      fc.array(
        fc.record({
          trackId: fc.oneof(fc.constantFrom('0', '1', 'audio', 'video'), fc.jsonValue()),
          media: fc.oneof(fc.constantFrom('audio', 'video'), fc.jsonValue()),
          mediaId: fc.oneof(fc.integer(), fc.jsonValue()),
        }),
      ),
      fc.jsonValue(),
    ),
    mediaIds: fc.oneof(fc.array(fc.oneof(fc.integer(), fc.string())), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

const succeedsOrRefuses = (parse: () => unknown): void => {
  try {
    parse();
  } catch (error) {
    assert.ok(error instanceof SignallingError && error.code === 'invalid_command', String(error));
    assert.ok(error.message.length > 0);
  }
};

describe('the data of commands', () => {
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    it(`is parsed as ${name} or refused with a message, for any value`, () => {
      fc.assert(
        fc.property(fc.oneof(fields, fc.jsonValue()), (data) =>
          succeedsOrRefuses(() => parseCommandData(schema, { type: 'cmd', name: 'any', data })),
        ),
      );
    });
  }

  it('names existing tracks or is refused', () => {
    fc.assert(
      fc.property(fields, (data) =>
        succeedsOrRefuses(() => {
          const { mapping } = parseCommandData(projectData, { type: 'cmd', name: 'project', data });
          for (const { kind, mediaId } of mapping.map(toProjection)) {
            assert.match(kind, /^(audio|video)$/);
            assert.ok(mediaId === undefined || mediaId.length <= 16);
          }
        }),
      ),
    );
  });

  it('names layers by integers of at most 16 bits, and never by 255', () => {
    const id = fc.oneof(fc.integer(), fc.double(), fc.constant(255), fc.constant(null));
    fc.assert(
      fc.property(id, id, (spatialLayerId, maxWidth) =>
        succeedsOrRefuses(() => {
          const data = { layer: { spatialLayerId, maxWidth } };
          const { layer } = parseCommandData(selectData, { type: 'cmd', name: 'select', data });
          assert.notEqual(layer?.spatialLayerId, 255);
          for (const number of [layer?.spatialLayerId, layer?.maxWidth]) {
            assert.ok(number === undefined || (Number.isInteger(number) && number >= 0 && number < 65_536));
          }
        }),
      ),
    );
  });
});

describe('a frame', () => {
  it('is parsed or refused with a message, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const parsed = parseFrame(text);
        if (!parsed.ok) assert.ok(parsed.message.length > 0);
      }),
    );
  });
});
