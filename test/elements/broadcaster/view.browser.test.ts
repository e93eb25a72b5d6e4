import { expect } from '@open-wc/testing';
import { draw, h, icon, type Child } from '../../../src/elements/broadcaster/view.js';

describe('a view', () => {
  const drawn = (...children: readonly Child[]) => {
    const parent = document.createElement('div');
    draw(parent, children);
    return parent;
  };

  it('is drawn as it says', () => {
    const parent = drawn('a', 1, h('b', { class: 'c', hidden: true, title: false }, 'd', undefined, h('i')));
    expect(parent.innerHTML).to.equal('a1<b class="c" hidden="">d<!----><i></i></b>');
  });

  it('takes words for words, never for markup', () => {
    const parent = drawn(h('p', { title: '"><script>' }, '<img src=x onerror=alert(1)>'));
    expect(parent.querySelectorAll('*')).to.have.length(1);
    expect(parent.textContent).to.equal('<img src=x onerror=alert(1)>');
  });

  it('keeps nodes, and the focus in them, whatever comes and goes before them', () => {
    const parent = drawn(undefined, h('button', {}, 'go'));
    document.body.append(parent);
    const button = parent.querySelector('button')!;
    button.focus();
    draw(parent, [h('p', {}, 'no'), h('button', { class: 'x' }, 'stop')]);
    draw(parent, [false, h('button', { class: 'x' }, 'stop')]);
    expect(parent.innerHTML).to.equal('<!----><button class="x">stop</button>');
    expect([parent.querySelector('button'), document.activeElement]).to.deep.equal([button, button]);
    parent.remove();
  });

  it('takes away attributes and handlers that are said no more, and nodes', () => {
    let calls = 0;
    const parent = drawn(h('button', { title: 'x', onclick: () => calls++ }), h('i'), 'text');
    const button = parent.querySelector('button')!;
    button.click();
    draw(parent, [h('button')]);
    button.click();
    expect([calls, parent.innerHTML]).to.deep.equal([1, '<button></button>']);
  });

  it('leaves alone what others wrote on a node', () => {
    const meter = (value: string) => h('i', { role: value, 'aria-valuenow': '0' });
    const parent = drawn(meter('meter'));
    parent.firstElementChild!.setAttribute('aria-valuenow', '7');
    draw(parent, [meter('none')]);
    expect(parent.innerHTML).to.equal('<i role="none" aria-valuenow="7"></i>');
  });

  it('brings a choice back to what is true', () => {
    const choice = (chosen: string) =>
      h('select', {}, ...['a', 'b', 'c'].map((value) => h('option', { value, selected: value === chosen }, value)));
    const parent = drawn(choice('b'));
    const select = parent.querySelector('select')!;
    expect(select.value).to.equal('b');
    select.value = 'c';
    draw(parent, [choice('b')]);
    expect(select.value).to.equal('b');
    draw(parent, [choice('a')]);
    expect(select.value).to.equal('a');
  });

  it('draws outlines that are seen', () => {
    const svg = drawn(icon('M0 0h4')).firstElementChild!;
    expect(svg.namespaceURI).to.equal('http://www.w3.org/2000/svg');
    draw(svg.parentElement!, [icon('M0 0h9')]);
    expect(svg.querySelector('path')!.getAttribute('d')).to.equal('M0 0h9');
  });
});
