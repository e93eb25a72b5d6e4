import '../src/define.js';

const viewer = document.querySelector('stream-viewer')!;
const broadcaster = document.querySelector('stream-broadcaster')!;
const form = document.querySelector('form')!;
const log = document.querySelector<HTMLOListElement>('#log')!;
const ownSlot = viewer.querySelector('[slot=waiting]')!;

/** What the form says, as the tags' properties: a token belongs in no attribute that others can read. */
function apply(): void {
  const said = new FormData(form);
  const text = (name: string): string => String(said.get(name) ?? '').trim();
  for (const tag of [viewer, broadcaster]) {
    tag.endpoint = text('endpoint');
    tag.accountId = text('account-id');
    tag.streamName = text('stream-name');
    tag.style.setProperty('--stream-accent', text('--stream-accent'));
    tag.style.setProperty('--stream-radius', `${text('--stream-radius')}px`);
    tag.style.setProperty('--stream-object-fit', text('--stream-object-fit'));
  }
  viewer.token = text('token');
  broadcaster.token = text('publish-token');
  if (said.has('own-slot')) viewer.append(ownSlot);
  else ownSlot.remove();
}

function note({ type, target }: Event, detail: string): void {
  const line = document.createElement('li');
  line.textContent = `${(target as Element).localName}: ${type} ${detail}`;
  log.prepend(line);
}

form.addEventListener('change', apply);
form.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('stream-live', (event) => note(event, event.streamName));
document.addEventListener('stream-ended', (event) => note(event, event.streamName));
document.addEventListener('stream-waiting', (event) => note(event, event.streamName));
document.addEventListener('stream-rejected', (event) => note(event, event.reason));
document.addEventListener('stream-error', (event) => note(event, event.error.code));
document.addEventListener('viewer-count', (event) => note(event, String(event.viewers)));
apply();
