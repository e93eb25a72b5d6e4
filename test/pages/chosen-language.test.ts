import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressIn } from '../../src/pages/chosen-language.js';

describe('the address of a page after somebody chose a language', () => {
  const address = 'https://live.example.com/dashboard/tokens?lang=de&search=a%26b#edit=publish/7';

  it('names no language where the browser remembers it, and keeps everything else', () =>
    assert.equal(
      addressIn(address, undefined),
      'https://live.example.com/dashboard/tokens?search=a%26b#edit=publish/7',
    ));

  it('names the language where the browser stores nothing', () => {
    assert.equal(new URL(addressIn(address, 'ja')).searchParams.get('lang'), 'ja');
    assert.equal(
      addressIn('https://live.example.com/dashboard/security', 'ar'),
      'https://live.example.com/dashboard/security?lang=ar',
    );
  });
});
