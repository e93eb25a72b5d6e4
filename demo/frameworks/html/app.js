import { broadcast } from './broadcast.js';
import { settings } from './settings.js';
import { watch } from './watch.js';

const { streams, token, publishToken } = settings;
const main = document.querySelector('main');
const sections = [token && main.querySelector('#watch'), publishToken && main.querySelector('#broadcast')];
const leave = main.querySelector('#leave');
const change = main.querySelector('#switch');
let chosen = 0;

function choose(index) {
  chosen = index;
  change.textContent = `Switch to ${streams[(chosen + 1) % streams.length]}`;
  if (token) watch(streams[chosen], token);
  if (publishToken) broadcast(streams[chosen], publishToken);
}

/** A tag that is removed from the page ends its connection. */
function show(isJoined) {
  leave.textContent = isJoined ? 'Leave' : 'Join';
  for (const section of main.querySelectorAll('section')) section.remove();
  if (isJoined) main.append(...sections.filter(Boolean));
}

leave.addEventListener('click', () => show(!main.querySelector('section')));
change.addEventListener('click', () => choose((chosen + 1) % streams.length));
choose(0);
show(true);
