import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AccessDeniedError, ApiError } from '../../../server/errors.js';
import { MediaError, type MediaErrorCode } from '../../../server/media/engine/media-error.js';
import {
  SessionError,
  sessionApiError,
  stopApiError,
  type SessionErrorCode,
} from '../../../server/sessions/session-error.js';
import { stopNotice, type StopNotice } from '../../../server/sessions/stop-notice.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

/** Status, code and Retry-After. */
function answerOf(error: unknown) {
  assert.ok(error instanceof ApiError);
  return [error.status, error.code, error.headers['retry-after']];
}

describe('the HTTP answer to an error of a session', () => {
  const media: [code: MediaErrorCode, status: number, retryAfter?: string][] = [
    ['invalid_sdp', 400],
    ['no_common_codec', 400],
    ['engine_unavailable', 503, '5'],
    ['unknown_source', 404],
    ['unknown_media', 404],
    ['answer_required', 406],
    ['engine_unsupported', 501],
    ['upstream_refused', 502],
  ];
  const session: [code: SessionErrorCode, status: number, retryAfter?: string][] = [
    ['already_connected', 409],
    ['not_connected', 409],
    ['session_ended', 409],
    ['wrong_node', 503, '2'],
    ['database_unavailable', 503, '2'],
  ];
  for (const [code, status, retryAfter] of media) {
    it(`is ${status} for ${code} of its media`, () => {
      const error = new MediaError(code, 'why');
      const answer = sessionApiError(error);
      assert.deepEqual(answerOf(answer), [status, code, retryAfter]);
      assert.deepEqual([(answer as ApiError).message, (answer as ApiError).cause], ['why', error]);
    });
  }
  for (const [code, status, retryAfter] of session) {
    it(`is ${status} for ${code}`, () => {
      const error = new SessionError(code, 'why');
      const answer = sessionApiError(error);
      assert.deepEqual(answerOf(answer), [status, code, retryAfter]);
      assert.deepEqual([(answer as ApiError).message, (answer as ApiError).cause], ['why', error]);
    });
  }

  it('is a refusal for a source in use, of the session or of the engine', () => {
    for (const error of [new MediaError('stream_in_use', 'why'), new SessionError('stream_in_use', 'why')]) {
      assert.ok(sessionApiError(error) instanceof AccessDeniedError);
    }
  });

  it('leaves other errors as they are', () => {
    const other = new Error('other');
    assert.equal(sessionApiError(other), other);
  });
});

describe('the HTTP answer for a session that was stopped before', () => {
  const notice = (code: StopNotice['code']): StopNotice => {
    const text = code in stopNotice ? stopNotice[code as keyof typeof stopNotice] : { message: 'why', closeCode: 4010 };
    return { streamId: streamIdOf('acme', 'main'), code, seq: 1, ...text };
  };

  it('is the refusal of the rule', () => {
    const answer = stopApiError(notice('token_expired'));
    assert.ok(answer instanceof AccessDeniedError);
    assert.equal(answer.code, 'token_expired');
  });

  it('is final for a viewer who was displaced or removed, who must not come back by themselves', () => {
    for (const code of ['displaced', 'removed_by_owner'] as const) {
      assert.deepEqual(answerOf(stopApiError(notice(code))), [401, code, undefined]);
    }
  });

  it('says when to try again otherwise', () => {
    assert.deepEqual(answerOf(stopApiError(notice('server_stopping'))), [503, 'server_stopping', '5']);
  });
});
