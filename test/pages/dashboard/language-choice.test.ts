import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inLanguage } from '../../../src/pages/dashboard/language-choice.js';

describe('the choice of a language in the dashboard', () => {
  it('opens the same page with the language in its address', () =>
    assert.equal(
      inLanguage('https://live.example.com/dashboard/security', 'ar'),
      'https://live.example.com/dashboard/security?lang=ar',
    ));

  it('replaces the language of the address, and keeps its other parameters', () =>
    assert.equal(
      inLanguage('https://live.example.com/dashboard?lang=de&page=2', 'ja'),
      'https://live.example.com/dashboard?lang=ja&page=2',
    ));
});
