import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { formOf, newForm } from '../../../../src/pages/dashboard/schedule/schedule-draft.js';
import { ScheduleState, type ScheduleView } from '../../../../src/pages/dashboard/schedule/schedule-state.js';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

const HOUR = 3_600_000;

describe('the state of the page of scheduled streams, with a real server', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  let client: ManagementClient;
  let state: ScheduleState;
  let views: ScheduleView[];

  beforeEach(async () => {
    server = await streamServer(cleanup);
    const secret = await server.server.secrets.create('main');
    client = new ManagementClient({ endpoint: server.origin, secret });
    views = [];
    state = new ScheduleState(client, (view) => views.push(view));
  });
  afterEach(() => cleanup.run());

  const inHours = (hours: number) => new Date(server.clock.now + hours * HOUR).toISOString();
  const schedule = (title: string, hours: number) =>
    client.schedule.create({ streamName: 'main', title, startsOn: inHours(hours) });
  const shown = () => {
    const view = views.at(-1)!;
    assert.equal(view.name, 'ready');
    return view;
  };
  const titles = () => {
    const { upcoming, past } = shown();
    return [upcoming, past].map(({ streams }) => streams.map(({ title }) => title));
  };

  it('shows what is to come, and what is over', async () => {
    for (const [title, hours] of [
      ['b', 30],
      ['a', 1],
      ['d', -30],
      ['c', -20],
    ] as const)
      await schedule(title, hours);
    await state.load();
    assert.deepEqual(titles(), [
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('schedules, changes and removes a stream, and shows the result', async () => {
    const { draft, ...form } = newForm(server.clock.now);
    await state.save({ ...form, draft: { ...draft, title: 'Keynote', streamName: 'main' } });
    const [made] = shown().upcoming.streams;
    assert.deepEqual(titles(), [['Keynote'], []]);
    const edit = formOf(made!);
    await state.save({ ...edit, draft: { ...edit.draft, title: 'Opening' } });
    assert.deepEqual(titles(), [['Opening'], []]);
    await state.save(formOf(made!));
    await state.remove(made!.id);
    assert.deepEqual(titles(), [[], []]);
    await assert.rejects(state.remove(made!.id), { code: 'scheduled_stream_not_found' });
  });

  it('turns the pages of each list, and shows the last page when there are fewer', async () => {
    for (let number = 0; number < 21; number += 1) await schedule(String(number), 1 + number);
    await state.load({ upcoming: 2 });
    assert.deepEqual([titles()[0], shown().upcoming.pages, shown().past.page], [['20'], 2, 1]);
    await state.remove(shown().upcoming.streams[0]!.id);
    assert.deepEqual([shown().upcoming.page, shown().upcoming.streams.length], [1, 20]);
  });

  it('offers the subscribe tokens that are valid for the stream at its time', async () => {
    const create = (label: string, more: object = {}) =>
      client.subscribeTokens.create({ label, streams: [{ streamName: 'main' }], ...more });
    await create('Guests');
    await create('One hour', { expires: 3_600 });
    await create('Other', { streams: [{ streamName: 'other' }] });
    const { id } = await create('Disabled');
    await client.subscribeTokens.update(id, { isActive: false });
    const labels = async (hours: number) =>
      (await state.tokensFor('main', server.clock.now + hours * HOUR)).map(({ label }) => label).toSorted();
    assert.deepEqual(await labels(0.5), ['Guests', 'One hour']);
    assert.deepEqual(await labels(2), ['Guests']);
  });

  it('knows that viewers need a token, if every publish token that names the stream says so', async () => {
    const publish = (streamName: string, subscribeRequiresAuth: boolean) =>
      client.publishTokens.create({ label: streamName, streams: [{ streamName }], subscribeRequiresAuth });
    const isPrivate = async () => [await state.isPrivate('main'), await state.isPrivate('main-2')];
    assert.deepEqual(await isPrivate(), [false, false]);
    const { id } = await publish('main', true);
    await publish('main-2', true);
    assert.deepEqual(await isPrivate(), [true, true]);
    await publish('main-2', false);
    assert.deepEqual(await isPrivate(), [true, false]);
    await client.publishTokens.update(id, { isActive: false });
    assert.deepEqual(await isPrivate(), [false, false]);
  });
});
