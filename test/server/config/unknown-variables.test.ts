import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { variableNames } from '../../../server/config/environment-schema.js';
import { unknownVariables } from '../../../server/config/unknown-variables.js';

const warningsFor = (name: string, value = 'x') => unknownVariables({ [name]: value });

describe('unknownVariables', () => {
  for (const [name, meant] of [
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['TRUST_PROXY', 'TRUSTED_PROXIES'],
    ['TRUSTED_PROXEIS', 'TRUSTED_PROXIES'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DATA_DIRS', 'DATA_DIR'],
    ['DATADIR', 'DATA_DIR'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['ENCRYPTION_KEYS', 'ENCRYPTION_KEY'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['TURN_URL', 'TURN_URLS'],
    ['RESUME_WITHIN', 'RESUME_WITHIN_S'],
    ['MEDIA_WORKER', 'MEDIA_WORKERS'],
    ['STREAMGATE_PORT', 'PORT'],
    ['STREAMGATE_DATA_DIR', 'DATA_DIR'],
    ['STREAMGATE_SECRETS', 'STREAMGATE_SECRET'],
    ['public_url', 'PUBLIC_URL'],
  ]) {
    it(`reports ${name} and suggests ${meant}`, () => {
      assert.deepEqual(warningsFor(name!), [{ variable: name, meant }]);
    });
  }

  it('reports variables with a prefix of ours', () => {
    for (const name of ['TURN_USERNAME', 'TURN_PASSWORD', 'MEDIA_PORT', 'STREAMGATE_COLOUR']) {
      assert.deepEqual(warningsFor(name), [{ variable: name, meant: null }]);
    }
  });

  it('ignores known and empty variables', () => {
    for (const name of [...variableNames, 'STREAMGATE_SECRET', 'STREAMGATE_ENDPOINT']) {
      assert.deepEqual(warningsFor(name), [], name);
    }
    assert.deepEqual(warningsFor('TRUSTED_PROXY', ' '), []);
  });

  it('ignores common variables and those of other programs', () => {
    const common = `
      PATH HOME USER LOGNAME SHELL TERM PWD OLDPWD LANG LC_ALL TZ HOSTNAME HOSTTYPE MACHTYPE OSTYPE MAIL EDITOR TMPDIR
      SSH_AUTH_SOCK SSH_CONNECTION DISPLAY XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_SESSION_ID DBUS_SESSION_BUS_ADDRESS
      NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_VERSION UV_THREADPOOL_SIZE DEBUG CI NO_COLOR FORCE_COLOR
      HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy no_proxy ALL_PROXY INIT_CWD COLOR npm_execpath npm_package_name
      PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE DATABASE_HOST DATABASE_PORT DATABASE_USER DATABASE_NAME DATABASE_PASSWORD
      DB_HOST DB_URL REDIS_URL MONGO_URL SECRET_KEY SECRET_KEY_BASE PRIVATE_KEY API_KEY JWT_SECRET SESSION_SECRET
      AWS_REGION AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID BASE_URL PUBLIC_DIR PUBLIC_KEY STATIC_URL ROOT_URL MEDIA_ROOT MEDIA_URL
      LOG_FILE LOG_DIR LOG_FORMAT LOG_PATH HTTP_PORT HTTPS_PORT SERVER_PORT SMTP_HOST SMTP_PORT PORTS HOSTS
      INVOCATION_ID JOURNAL_STREAM STATE_DIRECTORY NOTIFY_SOCKET LISTEN_FDS KUBERNETES_SERVICE_HOST KUBERNETES_PORT
      COMPOSE_PROJECT_NAME VIRTUAL_HOST LETSENCRYPT_HOST SENTRY_DSN WEB_CONCURRENCY DYNO HEROKU_APP_NAME
    `;
    for (const name of common.trim().split(/\s+/)) assert.deepEqual(warningsFor(name), [], name);
  });

  it('ignores the variables that Kubernetes and Docker set for services', () => {
    const beside = {
      STREAMGATE_SERVICE_HOST: '10.0.0.1',
      STREAMGATE_SERVICE_PORT: '8080',
      STREAMGATE_SERVICE_PORT_HTTP: '8080',
      STREAMGATE_PORT: 'tcp://10.0.0.1:8080',
      STREAMGATE_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
      STREAMGATE_PORT_8080_TCP_ADDR: '10.0.0.1',
      TURN_PORT: 'udp://10.0.0.2:3478',
      TURN_PORT_3478_UDP_PROTO: 'udp',
    };
    assert.deepEqual(unknownVariables(beside), []);
  });
});
