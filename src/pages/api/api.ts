// An interactive page of the API. The bundle is complete: it loads nothing from other servers.
import 'openapi-explorer/dist/browser/openapi-explorer.min.js';

interface OpenApiExplorer extends HTMLElement {
  /** Shows a document of OpenAPI. */
  loadSpec(spec: object): Promise<void>;
}

const SPEC_URL = '/api/openapi.json';
const explorer = document.createElement('openapi-explorer') as OpenApiExplorer;
const settings: Readonly<Record<string, string>> = {
  // Send calls to the origin of this page, also if the server has several names.
  'server-url': location.origin,
  'hide-server-selection': 'true',
  'primary-color': '#a81f2b',
  'secondary-color': '#ff9aa2',
  'nav-bg-color': '#15171c',
};
for (const [name, value] of Object.entries(settings)) explorer.setAttribute(name, value);

// Otherwise the browser would suggest earlier input, such as an API secret, to the next person.
explorer.addEventListener('input', (event) => {
  const [field] = event.composedPath();
  if (field instanceof HTMLInputElement) field.autocomplete = 'off';
});

const fault = document.createElement('main');
const sentence = document.createElement('p');
sentence.role = 'alert';
const again = document.createElement('button');
again.textContent = 'Try again';
again.addEventListener('click', () => void show());
fault.append(sentence, again);

/** The explorer itself would give up after five seconds, and not say so. */
async function show(): Promise<void> {
  document.body.replaceChildren(explorer);
  try {
    const response = await fetch(SPEC_URL);
    if (!response.ok) throw new Error(`${SPEC_URL} answered ${response.status}`);
    await explorer.loadSpec((await response.json()) as object);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    sentence.textContent = `The description of the API could not be loaded: ${reason}.`;
    document.body.replaceChildren(fault);
  }
}

void show();
