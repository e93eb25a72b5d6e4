import { html, type TemplateResult } from 'lit';

/** The field for a code of six digits from an authenticator app. */
export const codeField = (label: string): TemplateResult => html`
  <label
    >${label}
    <input
      name="code"
      required
      pattern="[0-9]{6}"
      maxlength="6"
      inputmode="numeric"
      autocomplete="one-time-code"
      dir="ltr"
    />
  </label>
`;
