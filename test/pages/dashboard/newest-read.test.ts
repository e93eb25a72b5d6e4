import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ManagementClient } from '../../../src/management.js';
import { AppearanceState } from '../../../src/pages/dashboard/appearance/appearance-state.js';
import { AuditState } from '../../../src/pages/dashboard/audit/audit-state.js';
import { HomeState } from '../../../src/pages/dashboard/home/home-state.js';
import { LiveState } from '../../../src/pages/dashboard/live/live-state.js';
import { RecordingsState } from '../../../src/pages/dashboard/recordings/recordings-state.js';
import { RefusalsState } from '../../../src/pages/dashboard/refusals/refusals-state.js';
import { ScheduleState } from '../../../src/pages/dashboard/schedule/schedule-state.js';
import { SecurityState } from '../../../src/pages/dashboard/security/security-state.js';
import { SignInState } from '../../../src/pages/dashboard/security/sign-in-state.js';
import { StatisticsState } from '../../../src/pages/dashboard/statistics/statistics-state.js';
import { TokensState } from '../../../src/pages/dashboard/tokens/tokens-state.js';
import { WebhooksState } from '../../../src/pages/dashboard/webhooks/webhooks-state.js';

interface State {
  load(): Promise<void>;
}
type OnChange = (view: { readonly name: string }) => void;

const states: Readonly<Record<string, (client: ManagementClient, onChange: OnChange) => State>> = {
  appearance: (client, onChange) => new AppearanceState(client, onChange),
  audit: (client, onChange) => new AuditState(client, onChange),
  home: (client, onChange) => new HomeState(client, onChange, async () => []),
  live: (client, onChange) => new LiveState({ client, accountId: 'main', mayReadLimits: true, onChange }),
  recordings: (client, onChange) => new RecordingsState({ client, onChange }),
  refusals: (client, onChange) => new RefusalsState(client, onChange),
  schedule: (client, onChange) => new ScheduleState(client, onChange),
  security: (client, onChange) => new SecurityState(client, onChange),
  'sign in': (client, onChange) => new SignInState(client, onChange, true),
  statistics: (client, onChange) => new StatisticsState({ client, onChange }),
  tokens: (client, onChange) => new TokensState(client, onChange),
  webhooks: (client, onChange) => new WebhooksState(client, onChange),
};

describe('a page of the dashboard that is read again before its first answer', () => {
  for (const [name, create] of Object.entries(states)) {
    it(`shows the newest answer, also if it comes first: ${name}`, async () => {
      const asked: ((answer: Response) => void)[] = [];
      const fetch = () => new Promise<Response>((resolve) => asked.push(resolve));
      let shown = '';
      const client = new ManagementClient({ endpoint: 'https://live.test', fetch });
      const state = create(client, (view) => (shown = view.name));
      const answerAll = (status: number) => {
        for (const answer of asked.splice(0)) answer(Response.json({ status: 'fail', data: {} }, { status }));
      };

      const first = state.load();
      const older = asked.splice(0);
      const second = state.load();
      answerAll(401);
      await second;
      asked.push(...older);
      answerAll(500);
      await first;
      assert.equal(shown, 'session-ended');
    });
  }
});
