import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupsFor, othersWithPage, pageAt, pageNames, pagesFor, pathOf } from '../../../src/pages/dashboard/routes.js';

describe('the paths of the dashboard', () => {
  it('each show their page, also with a slash at the end', () => {
    for (const name of pageNames) {
      assert.equal(pageAt(pathOf(name)), name);
      assert.equal(pageAt(`${pathOf(name)}/`), name);
    }
  });

  it('begin with the path of the first page', () => {
    for (const name of pageNames) assert.ok(pathOf(name).startsWith(pathOf('home')));
  });

  it('show no page if they are unknown', () => {
    for (const path of ['/', '/dashboard/nothing', '/dashboard/security/x', '/dashboards', '']) {
      assert.equal(pageAt(path), undefined, path);
    }
  });
});

it('a person sees the pages that their role permits', () => {
  assert.deepEqual(pagesFor(['figures']), ['live', 'statistics', 'security']);
  assert.deepEqual(pagesFor(['read']), ['home', 'schedule', 'recordings', 'tokens', 'refusals', 'audit']);
  assert.deepEqual(pagesFor(['account']), ['webhooks', 'appearance']);
  assert.deepEqual(pagesFor(['figures', 'read', 'account']), pageNames);
});

it('a person reads who uses a page that their role does not permit', () => {
  assert.equal(othersWithPage('webhooks', ['figures', 'read']), 'owners');
  assert.equal(othersWithPage('tokens', ['figures']), 'managers');
  assert.equal(othersWithPage('live', ['figures']), undefined);
});

it('each page is in one group of the navigation, in the same order, and no group is empty', () => {
  const grouped = groupsFor(['figures', 'read', 'account']).flatMap(([, names]) => names);
  assert.deepEqual(grouped, pageNames);
  assert.deepEqual(groupsFor(['figures']), [
    ['streams', ['live']],
    ['insight', ['statistics']],
    ['settings', ['security']],
  ]);
});
