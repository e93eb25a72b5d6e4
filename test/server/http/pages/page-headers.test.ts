import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inlineSourceHashes } from '../../../../server/http/pages/page-headers.js';

describe('inlineSourceHashes', () => {
  it('returns the hash of each inline script and style', () => {
    // `alert('Hello, world.');` is the example of https://www.w3.org/TR/CSP3/#example-hash.
    const page = `<style>a{}</style><script type="module">alert('Hello, world.');</script><style>b{}\n</style>`;
    const { scripts, styles } = inlineSourceHashes(page);
    assert.deepEqual(scripts, ["'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"]);
    assert.equal(styles.length, 2);
  });

  it('returns nothing for a page without inline sources', () => {
    const page = '<script type="module" crossorigin src="/assets/a.js"></script><link rel="stylesheet" href="/b.css">';
    assert.deepEqual(inlineSourceHashes(page), { scripts: [], styles: [] });
  });
});
