import assert from 'node:assert/strict';
import { setImmediate as later } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { nothing, type ReactiveElement } from 'lit';
import { PageChanges } from '../../../src/pages/dashboard/page-changes.js';
import { PageDialog } from '../../../src/pages/dashboard/page-dialog.js';

interface Shown {
  readonly name: string;
  readonly count?: number;
}

/** The page as far as its controllers use it. */
function page() {
  let updates = 0;
  let closed = 0;
  const element = { close: () => void (closed += 1) };
  const host = {
    renderRoot: { querySelector: () => element } as object as HTMLElement,
    addController: () => {},
    requestUpdate: () => void (updates += 1),
  };
  const changes = new PageChanges(host as object as ReactiveElement, (error) => (error as Error).message);
  const dialog = new PageDialog<Shown>(host as object as ReactiveElement, changes);
  const shown = (): Shown | undefined => {
    let current: Shown | undefined;
    const content = dialog.render((one) => {
      current = one;
      return { _$litType$: 1, strings: Object.assign([''], { raw: [''] }), values: [] };
    });
    return content === nothing ? undefined : current;
  };
  return { changes, dialog, shown, updates: () => updates, closed: () => closed };
}

describe('the dialog of a page', () => {
  it('shows what becomes known while it is open', () => {
    const { dialog, shown } = page();
    const asked = dialog.open({ name: 'delete' });
    dialog.replace(asked, { ...asked, count: 3 });
    assert.deepEqual(shown(), { name: 'delete', count: 3 });
  });

  it('shows nothing that becomes known after it was closed, or after another one was opened', () => {
    const { dialog, shown } = page();
    const closed = dialog.open({ name: 'delete' });
    dialog.close();
    dialog.replace(closed, { ...closed, count: 3 });
    assert.equal(shown(), undefined);
    const earlier = dialog.open({ name: 'delete' });
    dialog.open({ name: 'use' });
    dialog.replace(earlier, { ...earlier, count: 3 });
    assert.deepEqual(shown(), { name: 'use' });
  });

  it('closes its element, so that the browser gives the focus back, and does not only remove it', () => {
    const { dialog, closed } = page();
    dialog.open({ name: 'delete' });
    assert.equal(closed(), 0);
    dialog.close();
    dialog.close();
    assert.equal(closed(), 1);
  });

  it('forgets the fault of the change that it asked for when it is closed', () => {
    const { dialog, changes } = page();
    dialog.open({ name: 'delete' });
    changes.refuse('The server is away.');
    dialog.close();
    assert.equal(changes.fault, '');
  });
});

describe('the changes of a page', () => {
  it('are under way until the server has answered', async () => {
    const { changes } = page();
    const answer = Promise.withResolvers<string>();
    changes.attempt(() => answer.promise);
    assert.equal(changes.isBusy, true);
    answer.resolve('Saved.');
    await later();
    assert.equal(changes.isBusy, false);
    assert.deepEqual(changes.status().values, ['card is-on', 'Saved.']);
  });

  it('stay under way when a dialog closes before the answer', () => {
    const { changes, dialog } = page();
    dialog.open({ name: 'delete' });
    changes.attempt(() => new Promise(() => {}));
    dialog.close();
    assert.equal(changes.isBusy, true);
  });

  it('that fail leave a fault until the next one begins', async () => {
    const { changes } = page();
    changes.attempt(() => Promise.reject(new Error('The name is taken.')));
    await later();
    assert.equal(changes.fault, 'The name is taken.');
    changes.attempt(() => new Promise(() => {}));
    assert.equal(changes.fault, '');
  });

  it('tell nothing of an earlier outcome once the next one is made', async () => {
    const { changes } = page();
    changes.tell('Saved.');
    changes.attempt(async () => {});
    await later();
    assert.deepEqual(changes.status().values, ['visually-hidden', '']);
  });
});
