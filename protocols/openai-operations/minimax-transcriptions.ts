import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { readString } from "../shared/json/json-values";

/** https://platform.minimax.io/docs/api-reference/speech-to-text: a form in OpenAI's shape, and the language in a header. */

const FORMATS = ["json", "verbose_json", "srt", "vtt"];

/** https://www.rfc-editor.org/info/bcp47 */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i;

export const minimaxTranscriptions: UpstreamOperation = {
  path: () => "/v1/speech_to_text",

  headers: (_model, { fields }): Record<string, string> => {
    const language = readString(fields.language);
    return LANGUAGE.test(language) ? { language } : {};
  },

  summarize: ({ fields }, summary) => {
    const format = readString(fields.response_format);
    if (format !== "" && !FORMATS.includes(format)) {
      const fault = { code: "unsupported-value-instead", field: "response_format", value: format } as const;
      throw new RequestInvalid({ ...fault, instead: FORMATS });
    }
    // Its events are in a shape of the vendor's own.
    if (summary.isStream) throw new RequestInvalid({ code: "unsupported-field", field: "stream" });
    return summary;
  },

  translation: undefined,
};
