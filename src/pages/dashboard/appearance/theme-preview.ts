import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { themeColor } from '../../../wire/management/theme.js';
import { accentFault, themePalette } from '../../../wire/theme-palette.js';
import type { ThemeDraft } from './appearance-state.js';
import type { AppearanceMessages } from './messages/appearance-messages.js';

/** How a hosted page looks with what the person has entered so far. */
export function themePreview(
  { name, accent, background }: ThemeDraft,
  logoUrl: string | undefined,
  messages: AppearanceMessages,
): TemplateResult {
  const colorOf = (text: string): string | null => (themeColor.safeParse(text).success ? text : null);
  const chosen = colorOf(accent);
  // The server would refuse it: the preview shows what it proposes.
  const usable = chosen && (accentFault(chosen)?.nearest ?? chosen);
  const palette = themePalette({ accent: usable, background: colorOf(background) });
  return html`
    <figure class="theme-preview">
      <figcaption class="soft">${messages.preview}</figcaption>
      <div class="page" ${ref((element) => paint(element, palette))}>
        <p>
          ${logoUrl ? html`<img src=${logoUrl} alt=${messages.logo} />` : nothing}
          <strong dir="auto">${name.trim() || 'Streamgate'}</strong>
        </p>
        <p class="soft">${messages.sampleText}</p>
        <p><span class="badge">${messages.sampleBadge}</span> <span class="sample">${messages.sampleButton}</span></p>
      </div>
    </figure>
  `;
}

/** By script, because the policy of the page allows no style attributes. */
function paint(element: Element | undefined, palette: Readonly<Record<string, string>>): void {
  if (!(element instanceof HTMLElement)) return;
  for (const name of Array.from(element.style)) element.style.removeProperty(name);
  for (const [name, value] of Object.entries(palette)) element.style.setProperty(name, value);
}
