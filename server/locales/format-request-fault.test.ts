import type { RequestFault, RequestFaultCode } from "@tollgate/contract/relay/request-fault";
import { describe, expect, it } from "vitest";
import { formatRequestFault } from "./format-request-fault";
import { LANGUAGES, type Language } from "./languages";

/** Every fault with its English text; texts that programs and people rely on are fixed here. */
const SAID: {
  [Code in RequestFaultCode]: readonly [fault: Extract<RequestFault, { code: Code }>, english: string];
} = {
  "body-not-object": [{ code: "body-not-object" }, "the request body must be a JSON object"],
  missing: [{ code: "missing", field: "f" }, "f is required"],
  "field-missing": [{ code: "field-missing", field: "f" }, "field f is required"],
  "file-missing": [{ code: "file-missing", field: "f" }, "field f is required: a file"],
  "list-missing": [
    { code: "list-missing", field: "f" },
    "field f is required and must be a list with at least one entry",
  ],
  "text-or-list-missing": [
    { code: "text-or-list-missing", field: "f" },
    "f is required and must be a string or a list with at least one item",
  ],
  "missing-while": [
    { code: "missing-while", field: "f", other: "g", value: "v" },
    'f is required while g is "v"',
  ],
  "missing-without": [
    { code: "missing-without", field: "f", other: "g" },
    "f is required unless the message has g",
  ],
  "wrong-type": [{ code: "wrong-type", field: "f", expected: "object" }, "f must be an object"],
  empty: [{ code: "empty", field: "f" }, "f must not be empty"],
  "no-whole-number-within": [
    { code: "no-whole-number-within", field: "f", min: 1, max: 9 },
    "f must be a whole number from 1 to 9",
  ],
  "no-number-within": [
    { code: "no-number-within", field: "f", min: 1, max: 9 },
    "f must be a number from 1 to 9",
  ],
  "too-long": [{ code: "too-long", field: "f", max: 9 }, "f is too long: at most 9 characters"],
  "not-one-of": [{ code: "not-one-of", field: "f", allowed: ["a", "b"] }, "f must be one of a, b"],
  "unknown-value": [
    { code: "unknown-value", field: "f", value: "v", allowed: ["a", "b"] },
    'f "v" is not one of a, b',
  ],
  "unsupported-field": [
    { code: "unsupported-field", field: "f" },
    "f is not supported by the upstream of this model",
  ],
  "unsupported-value": [
    { code: "unsupported-value", field: "f", value: "v" },
    'f "v" is not supported by the upstream of this model',
  ],
  "unsupported-value-instead": [
    { code: "unsupported-value-instead", field: "f", value: "v", instead: ["c", "d"] },
    'f "v" is not supported by the upstream of this model, use c, d',
  ],
  "unsupported-tool": [
    { code: "unsupported-tool", tool: "t", instead: "function" },
    'the built-in tool "t" is not supported by the upstream of this model, use "function"',
  ],
  "unsupported-part": [
    { code: "unsupported-part", part: "p" },
    'a part with "p" is not supported by the upstream of this model',
  ],
  "unsupported-file-type": [
    { code: "unsupported-file-type", type: "application/zip" },
    "files of the type application/zip are not supported by the upstream of this model",
  ],
  "unsupported-media": [
    { code: "unsupported-media", media: "images" },
    "images cannot be sent to the upstream of this model",
  ],
  "file-too-large": [
    { code: "file-too-large", field: "f", maxMib: 7 },
    "f is too large for the upstream of this model: at most 7 MiB",
  ],
  "images-unsupported": [
    { code: "images-unsupported" },
    "the upstream of this model reads text only, no images",
  ],
  "tools-unsupported": [{ code: "tools-unsupported" }, "the upstream of this model cannot call tools"],
  "search-unsupported": [{ code: "search-unsupported" }, "the upstream of this model cannot search the web"],
  "compaction-unsupported": [
    { code: "compaction-unsupported" },
    "the upstream of this model cannot compact a conversation, let the client summarise it",
  ],
  "templates-unsupported": [
    { code: "templates-unsupported", field: "f" },
    "prompt templates (f) are not supported by the upstream of this model",
  ],
  "several-answers": [
    { code: "several-answers", field: "f" },
    "f greater than 1 is not supported by the upstream of this model, use 1",
  ],
  "too-many-pictures": [
    { code: "too-many-pictures", max: 3 },
    "the upstream of this model edits at most 3 pictures at once",
  ],
  "no-such-ratio": [
    { code: "no-such-ratio", field: "size", allowed: ["1:1", "16:9"] },
    "the upstream of this model makes no pictures with the proportions of this size, only 1:1, 16:9",
  ],
  "other-answers-than-text": [
    { code: "other-answers-than-text" },
    "only text answers are supported by the upstream of this model",
  ],
  "texts-only": [{ code: "texts-only", field: "f" }, "the upstream of this model takes only texts as f"],
  "media-as-data-only": [
    { code: "media-as-data-only", media: "images" },
    "images can only be sent as data to the upstream of this model, not by address or file id",
  ],
  "text-parts-only": [
    { code: "text-parts-only", holder: "messages[0].content" },
    "messages[0].content can only hold text",
  ],
  "tool-result-parts": [
    { code: "tool-result-parts" },
    "a tool result can only hold text, images and documents",
  ],
  "nothing-to-send": [{ code: "nothing-to-send" }, "the conversation holds nothing that could be sent"],
  "no-question": [{ code: "no-question" }, "field messages holds no question of the user"],
  "result-without-call": [
    { code: "result-without-call", id: "call_1" },
    'the tool result with id "call_1" does not answer a tool call of the assistant turn before it',
  ],
  "call-without-result": [
    { code: "call-without-result", id: "call_1" },
    'the tool call with id "call_1" must be followed by its result before the next turn',
  ],
  "function-message-without-call": [
    { code: "function-message-without-call" },
    "a function message must follow the function_call that it answers",
  ],
  "model-not-in-address": [
    { code: "model-not-in-address", address: "/v1beta/models/{model}:generateContent" },
    "the address must name the model: /v1beta/models/{model}:generateContent",
  ],
  "model-differs-from-address": [
    { code: "model-differs-from-address" },
    "model names another model than the address",
  ],
  "foreign-file-id": [
    { code: "foreign-file-id" },
    "a file id of another vendor means nothing to the upstream of this model, send the file's data",
  ],
  "foreign-file-address": [
    { code: "foreign-file-address" },
    "a file in Google's store means nothing to the upstream of this model, send its data or a web address",
  ],
  "responses-not-stored": [
    { code: "responses-not-stored", field: "f" },
    "f is not supported: responses are not stored here, send the whole conversation as input",
  ],
  "background-not-stored": [
    { code: "background-not-stored", field: "f" },
    "f is not supported: responses are not stored here",
  ],
  "items-not-stored": [
    { code: "items-not-stored" },
    "item_reference is not supported: items are not stored here, set store to false and send them whole",
  ],
  "too-many-media-addresses": [
    { code: "too-many-media-addresses", max: 9 },
    "at most 9 images and documents may be named by their address for the upstream of this model, send their data",
  ],
  "media-of-unknown-type": [
    { code: "media-of-unknown-type", host: "a.test" },
    "what stands at a.test cannot be used: it is no PNG, JPEG, GIF, WebP or PDF; send its data instead",
  ],
  "media-too-late": [
    { code: "media-too-late", host: "a.test" },
    "what stands at a.test cannot be used: it did not come in time; send its data instead",
  ],
  "media-out-of-reach": [
    { code: "media-out-of-reach", host: "a.test" },
    "what stands at a.test cannot be used: its address could not be reached or is not public; send its data instead",
  ],
  "media-refused": [
    { code: "media-refused", host: "a.test", status: 404 },
    "what stands at a.test cannot be used: its server answered 404; send its data instead",
  ],
  "media-too-large": [
    { code: "media-too-large", host: "a.test", maxMib: 20 },
    "what stands at a.test cannot be used: the images and documents of a request may not be larger than 20 MiB; send its data instead",
  ],
  "tier-without-price": [
    { code: "tier-without-price", field: "f", value: "v" },
    'f "v" has a price of its own, which is not set here; leave it out, or ask the administrator to set it (ServiceTierRatio)',
  ],
  "tool-without-price": [
    { code: "tool-without-price", tool: "t" },
    'the tool "t" is run by the vendor and billed apart from tokens, and its price is not set here; leave it out, or ask the administrator to set it (ToolPrice)',
  ],
  "not-a-form": [
    { code: "not-a-form" },
    "this endpoint takes multipart/form-data: send the file as a form field",
  ],
  "form-incomplete": [{ code: "form-incomplete" }, "the form cannot be read: it did not arrive whole"],
  "form-boundary-unnamed": [
    { code: "form-boundary-unnamed" },
    "the form cannot be read: its Content-Type names no boundary",
  ],
  "form-boundary-absent": [
    { code: "form-boundary-absent" },
    "the form cannot be read: its boundary does not occur",
  ],
  "form-boundary-misplaced": [
    { code: "form-boundary-misplaced" },
    "the form cannot be read: its boundary stands within a part or behind its end, or something else follows it",
  ],
  "form-header-unreadable": [
    { code: "form-header-unreadable" },
    "the form cannot be read: a header of a part cannot be read or does not end, or the parameters of a header cannot be read",
  ],
  "form-header-twice": [
    { code: "form-header-twice", name: "n" },
    "the form cannot be read: n stands twice in one place of a header",
  ],
  "form-part-unnamed": [{ code: "form-part-unnamed" }, "the form cannot be read: a part has no name"],
  "form-part-encoded": [
    { code: "form-part-encoded" },
    "the form cannot be read: a part has a Content-Transfer-Encoding",
  ],
  "form-part-nested": [{ code: "form-part-nested" }, "the form cannot be read: a part is a form itself"],
  "form-field-twice": [
    { code: "form-field-twice", name: "n" },
    "the form cannot be read: the field n stands in it twice",
  ],
  "form-field-not-utf8": [
    { code: "form-field-not-utf8", name: "n" },
    "the form cannot be read: the field n is not written in UTF-8",
  ],
  "form-field-misnamed": [
    { code: "form-field-misnamed", name: "n", other: "g" },
    "the form cannot be read: some upstreams take the field n for g: write g",
  ],
  "form-field-is-file": [
    { code: "form-field-is-file", name: "n" },
    "the form cannot be read: the field n must not be a file",
  ],
  "form-name-not-ascii": [
    { code: "form-name-not-ascii" },
    "the form cannot be read: a field's name is not plain ASCII",
  ],
  "form-too-many-parts": [
    { code: "form-too-many-parts", max: 9 },
    "the form cannot be read: it has more than 9 parts",
  ],
  "form-fields-too-large": [
    { code: "form-fields-too-large", max: 9 },
    "the form cannot be read: its fields have more than 9 bytes",
  ],
};

const faults = Object.values(SAID) as (readonly [RequestFault, string])[];
const languages = Object.keys(LANGUAGES) as Language[];

describe("a fault of a request", () => {
  it.each(faults)("is, of %j, %s", (fault, english) => {
    expect(formatRequestFault(LANGUAGES.en, fault)).toBe(english);
  });

  it.each(languages)("is said in %s, each in its own words, with all that it names", (language) => {
    const said = faults.map(([fault]) => formatRequestFault(LANGUAGES[language], fault));
    expect(new Set(said).size).toBe(said.length);
    for (const sentence of said) expect(sentence.replace("{model}", "")).not.toMatch(/[{}]|undefined/);
  });

  it("is short, however long the client's text is", () => {
    const value = "x".repeat(1_000_000);
    for (const language of languages) {
      const said = formatRequestFault(LANGUAGES[language], {
        code: "unsupported-value",
        field: value,
        value,
      });
      expect(said.length).toBeLessThan(600);
    }
  });
});
